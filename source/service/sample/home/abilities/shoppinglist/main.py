from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "shopping_list"
DONE = {"done", "that is all", "nothing", "stop"}


class ShoppingListCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    def load(self):
        stored = self.capability_worker.get_single_key(KEY) or {}
        return list(stored.get("items", []))

    def save(self, items):
        value = {"items": items}
        if self.capability_worker.get_single_key(KEY) is None:
            self.capability_worker.create_key(KEY, value)
        else:
            self.capability_worker.update_key(KEY, value)

    async def run(self):
        items = self.load()
        question = f"You have {len(items)} things on the list. What shall I add?"
        while True:
            answer = (await self.capability_worker.run_io_loop(question)).strip().lower().rstrip(".!")
            if not answer or answer in DONE:
                break
            # "milk, eggs and bread" is three things.
            for item in answer.replace(" and ", ",").split(","):
                item = item.strip()
                if item and item not in items:
                    items.append(item)
            self.save(items)
            question = "And?"
        await self.capability_worker.speak(f"The list has {len(items)} things now.")
        self.capability_worker.resume_normal_flow()
