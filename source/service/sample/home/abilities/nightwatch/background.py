from datetime import datetime
from zoneinfo import ZoneInfo

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "nightwatch"
NIGHT_BEGINS, NIGHT_ENDS = 23, 6
PAUSE_SECONDS = 30.0
WORTH_NOTING = ("door", "window", "alarm", "smoke", "water")


def is_night(hour):
    return hour >= NIGHT_BEGINS or hour < NIGHT_ENDS


class NightWatchBackground(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None
    background_daemon_mode: bool = False

    #{{register capability}}

    def note(self, event):
        stored = self.capability_worker.get_single_key(KEY)
        events = list((stored or {}).get("events", []))
        if event in events:
            return
        value = {"events": (events + [event])[-10:]}
        if stored is None:
            self.capability_worker.create_key(KEY, value)
        else:
            self.capability_worker.update_key(KEY, value)

    def call(self, worker: AgentWorker, background_daemon_mode: bool):
        self.worker = worker
        self.background_daemon_mode = background_daemon_mode
        self.capability_worker = CapabilityWorker(self)
        self.worker.session_tasks.create(self.watch())

    async def watch(self):
        zone = ZoneInfo(self.capability_worker.get_timezone() or "UTC")
        while True:
            now = datetime.now(zone)
            if is_night(now.hour):
                for message in self.capability_worker.get_full_message_history()[-5:]:
                    content = str(message.get("content", ""))
                    if any(word in content.lower() for word in WORTH_NOTING):
                        self.note(f"{now:%H:%M} {content[:80]}")
            await self.worker.session_tasks.sleep(PAUSE_SECONDS)
