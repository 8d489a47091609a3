import json

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "pantry"
SYSTEM_PROMPT = (
    "Somebody says what was taken from or put into a pantry. Answer with one JSON object that maps "
    "each food, singular and in lower case, to the change in number: 2 for two more, -1 for one less. "
    "Answer with {} when nothing of the kind was said."
)


class PantryCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    def understand(self, text):
        answer = self.capability_worker.text_to_text_response(text, system_prompt=SYSTEM_PROMPT)
        try:
            changes = json.loads(answer)
        except ValueError:
            self.worker.editor_logging_handler.warning("pantry: the answer was no JSON")
            return {}
        return {str(food): int(number) for food, number in changes.items()}

    async def run(self):
        changes = self.understand(await self.capability_worker.wait_for_complete_transcription())
        stock = self.capability_worker.get_single_key(KEY)
        updated = dict(stock or {})
        for food, number in changes.items():
            updated[food] = max(0, updated.get(food, 0) + number)
        if stock is None:
            self.capability_worker.create_key(KEY, updated)
        else:
            self.capability_worker.update_key(KEY, updated)
        finished = [food for food in changes if updated[food] == 0]
        if finished:
            await self.capability_worker.speak(f"That was the last {' and the last '.join(finished)}.")
        self.capability_worker.resume_normal_flow()
