from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "nightwatch"


class NightWatchCapability(MatchingCapability):
    """Says what the watch has heard. The watching itself is done in background.py."""

    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        events = (self.capability_worker.get_single_key(KEY) or {}).get("events", [])
        if events:
            await self.capability_worker.speak(f"Last night: {'. '.join(events)}.")
        else:
            await self.capability_worker.speak("The night was quiet.")
        self.capability_worker.resume_normal_flow()
