from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

SYSTEM_PROMPT = (
    "You tell bedtime stories to a child of five. Nothing frightening happens, somebody is kind, "
    "and at the end everyone sleeps. Write one part of at most ninety words, without a title."
)
PARTS = ["the beginning", "what happens then", "the quiet end"]


class BedtimeStoryCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        hero = await self.capability_worker.run_io_loop("Who shall the story be about?")
        history = []
        for part in PARTS:
            request = f"The story is about {hero}. Tell {part}."
            text = self.capability_worker.text_to_text_response(
                request, history=history, system_prompt=SYSTEM_PROMPT
            )
            history += [
                {"role": "user", "content": request},
                {"role": "assistant", "content": text},
            ]
            await self.capability_worker.speak(text)
            await self.worker.session_tasks.sleep(2.0)
        self.capability_worker.resume_normal_flow()
