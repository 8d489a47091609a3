from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "visitor_notes"
MAXIMUM_NOTES = 20


class VisitorNotesCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        stored = self.capability_worker.get_single_key(KEY)
        notes = list((stored or {}).get("notes", []))
        visitor = await self.capability_worker.run_io_loop("Nobody is home just now. Who is it?")
        message = await self.capability_worker.run_io_loop("What shall I tell them?")
        notes.append({"visitor": visitor.strip(), "message": message.strip()})
        # The oldest go first: this is a note on the door, not an archive.
        value = {"notes": notes[-MAXIMUM_NOTES:]}
        if stored is None:
            self.capability_worker.create_key(KEY, value)
        else:
            self.capability_worker.update_key(KEY, value)
        await self.capability_worker.speak("I will pass it on.")
        self.capability_worker.resume_normal_flow()
