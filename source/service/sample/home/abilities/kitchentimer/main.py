import re

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

SECONDS = {"second": 1, "minute": 60, "hour": 3600}


def parse_seconds(text):
    """Seconds in a phrase such as "one minute 30 seconds", or None."""
    words = {"a": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10, "fifteen": 15, "twenty": 20}
    total = 0
    for amount, unit in re.findall(r"(\d+|[a-z]+) (second|minute|hour)s?", text.lower()):
        total += (int(amount) if amount.isdigit() else words.get(amount, 0)) * SECONDS[unit]
    return total or None


class KitchenTimerCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        text = await self.capability_worker.wait_for_complete_transcription()
        seconds = parse_seconds(text)
        if seconds is None:
            seconds = parse_seconds(await self.capability_worker.run_io_loop("For how long?"))
        if seconds is None:
            await self.capability_worker.speak("I did not hear a time, so nothing is running.")
        else:
            await self.capability_worker.speak("Your timer is running.")
            self.worker.session_tasks.create(self.ring(seconds))
        self.capability_worker.resume_normal_flow()

    async def ring(self, seconds):
        await self.worker.session_tasks.sleep(float(seconds))
        await self.capability_worker.send_interrupt_signal()
        await self.capability_worker.speak("Your timer is done.")
