import re

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "medicine_times"


class MedicineTimeCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        answer = await self.capability_worker.run_io_loop("At what times shall I remind you? Say them as 8:00.")
        times = sorted(f"{int(hour):02}:{minute}" for hour, minute in re.findall(r"\b([01]?\d|2[0-3])[:. ]([0-5]\d)\b", answer))
        if not times:
            await self.capability_worker.speak("I heard no time, so everything stays as it was.")
        else:
            value = {"times": times}
            if self.capability_worker.get_single_key(KEY) is None:
                self.capability_worker.create_key(KEY, value)
            else:
                self.capability_worker.update_key(KEY, value)
            await self.capability_worker.speak(f"I will remind you at {' and at '.join(times)}.")
        self.capability_worker.resume_normal_flow()
