from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker


def jobs_in(listing):
    """Owner and size in bytes of every job in what lpstat -o prints."""
    jobs = []
    for line in listing.splitlines():
        parts = line.split()
        if len(parts) >= 3 and parts[2].isdigit():
            jobs.append((parts[1], int(parts[2])))
    return jobs


class PrinterQueueCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        listing = await self.capability_worker.exec_local_command("lpstat -o")
        jobs = jobs_in(str(listing or ""))
        if not jobs:
            await self.capability_worker.speak("The printer has nothing to do.")
        else:
            owner, size = jobs[0]
            await self.capability_worker.speak(f"{len(jobs)} in the queue. {owner} is printing {max(1, size // 1024)} kilobytes.")
            if await self.capability_worker.run_confirmation_loop("Shall I cancel them all?"):
                await self.capability_worker.exec_local_command("cancel -a")
                await self.capability_worker.speak("The queue is empty.")
        self.capability_worker.resume_normal_flow()
