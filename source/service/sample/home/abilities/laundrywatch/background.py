from time import time

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "laundry"


class LaundryWatchBackground(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None
    background_daemon_mode: bool = False

    #{{register capability}}

    async def watch(self):
        while True:
            washing = self.capability_worker.get_single_key(KEY)
            if washing is not None and time() >= washing.get("done_at", 0):
                self.capability_worker.delete_key(KEY)
                await self.capability_worker.send_interrupt_signal()
                await self.capability_worker.speak("The laundry is done, and it will not hang itself.")
            await self.worker.session_tasks.sleep(60.0)

    def call(self, worker: AgentWorker, background_daemon_mode: bool):
        self.worker = worker
        self.background_daemon_mode = background_daemon_mode
        self.capability_worker = CapabilityWorker(self)
        self.worker.session_tasks.create(self.watch())
