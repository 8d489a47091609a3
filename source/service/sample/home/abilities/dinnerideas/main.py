from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

PANTRY_KEY = "pantry"
SYSTEM_PROMPT = (
    "You suggest one dinner that can be cooked in forty minutes. Use what is in the pantry first. "
    "Name the dish, then at most three things that are still missing. Two sentences, no list."
)


class DinnerIdeasCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        stock = self.capability_worker.get_single_key(PANTRY_KEY) or {}
        there = ", ".join(f"{number} {food}" for food, number in sorted(stock.items()) if number > 0)
        refused = []
        for _attempt in range(3):
            request = f"In the pantry: {there or 'nothing is known'}. Not wanted: {', '.join(refused) or 'none'}."
            idea = self.capability_worker.text_to_text_response(request, system_prompt=SYSTEM_PROMPT)
            if await self.capability_worker.run_confirmation_loop(f"{idea} Does that sound good?"):
                await self.capability_worker.speak("Enjoy it.")
                break
            refused.append(idea)
        self.capability_worker.resume_normal_flow()
