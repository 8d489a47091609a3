from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

ROOMS = ["kitchen", "hall", "living room", "bedroom"]


class GoodNightCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        awake = await self.capability_worker.run_confirmation_loop(
            "Is anybody still up downstairs?"
        )
        # Whoever is still up keeps the living room.
        rooms = [room for room in ROOMS if not (awake and room == "living room")]
        for room in rooms:
            await self.capability_worker.send_devkit_action(f"light-{room.replace(' ', '-')}-0")
        await self.capability_worker.send_devkit_action("lock-front-door")
        await self.capability_worker.speak("The door is locked. Good night.")
        self.capability_worker.resume_normal_flow()
