from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

# Room, brightness in percent, seconds to wait before the next one.
SUNRISE = [
    ("bedroom", 10, 20.0),
    ("hall", 30, 10.0),
    ("kitchen", 60, 0.0),
]


class MorningLightsCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        try:
            await self.capability_worker.speak("Good morning. I am waking the house.")
            for room, brightness, pause_seconds in SUNRISE:
                await self.capability_worker.send_devkit_action(f"light-{room}-{brightness}")
                await self.worker.session_tasks.sleep(pause_seconds)
            await self.capability_worker.speak("The kitchen is bright, the kettle is yours.")
        except Exception as error:
            self.worker.editor_logging_handler.error(f"morninglights: {error}")
            await self.capability_worker.speak("Some lights did not answer.")
        finally:
            self.capability_worker.resume_normal_flow()
