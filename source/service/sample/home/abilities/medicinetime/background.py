from datetime import datetime
from zoneinfo import ZoneInfo

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "medicine_times"


class MedicineTimeBackground(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None
    background_daemon_mode: bool = False

    #{{register capability}}

    def call(self, worker: AgentWorker, background_daemon_mode: bool):
        self.worker = worker
        self.background_daemon_mode = background_daemon_mode
        self.capability_worker = CapabilityWorker(self)
        self.worker.session_tasks.create(self.remind())

    async def remind(self):
        zone = ZoneInfo(self.capability_worker.get_timezone() or "UTC")
        said_at = None
        while True:
            now = f"{datetime.now(zone):%H:%M}"
            times = (self.capability_worker.get_single_key(KEY) or {}).get("times", [])
            # Once a minute is enough to be on time, and once a time is enough to be heard.
            if now in times and now != said_at:
                said_at = now
                await self.capability_worker.send_interrupt_signal()
                await self.capability_worker.speak("It is time for your medicine.")
            await self.worker.session_tasks.sleep(20.0)
