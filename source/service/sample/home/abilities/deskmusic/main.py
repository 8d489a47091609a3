from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

COMMANDS = {
    "next": "playerctl next",
    "back": "playerctl previous",
    "stop": "playerctl pause",
    "quieter": "playerctl volume 0.1-",
    "louder": "playerctl volume 0.1+",
    "play": "playerctl play",
}


class DeskMusicCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        said = (await self.capability_worker.wait_for_complete_transcription()).lower()
        # The words are fixed: nothing that is said is ever run as a command.
        command = next((line for word, line in COMMANDS.items() if word in said), COMMANDS["play"])
        await self.capability_worker.exec_local_command(command)
        if command == COMMANDS["play"]:
            title = await self.capability_worker.exec_local_command("playerctl metadata title")
            await self.capability_worker.speak(f"Playing {str(title or 'the music').strip()}.")
        self.capability_worker.resume_normal_flow()
