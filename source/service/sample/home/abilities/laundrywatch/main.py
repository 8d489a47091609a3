from time import time

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "laundry"
PROGRAM_MINUTES = {"quick": 30, "cotton": 120, "wool": 45}


class LaundryWatchCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        answer = (await self.capability_worker.run_io_loop("Quick, cotton or wool?")).lower()
        program = next((name for name in PROGRAM_MINUTES if name in answer), "cotton")
        value = {"done_at": time() + PROGRAM_MINUTES[program] * 60}
        if self.capability_worker.get_single_key(KEY) is None:
            self.capability_worker.create_key(KEY, value)
        else:
            self.capability_worker.update_key(KEY, value)
        await self.capability_worker.speak(f"{program.capitalize()}. I will call you in {PROGRAM_MINUTES[program]} minutes.")
        self.capability_worker.resume_normal_flow()
