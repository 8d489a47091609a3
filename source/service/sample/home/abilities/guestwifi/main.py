from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "guest_network"
ALPHABET = {"-": "dash", "_": "underscore", ".": "dot"}


def spell(text):
    """The text letter by letter, as it is said to somebody who types it."""
    return ", ".join(
        f"capital {letter}" if letter.isupper() else ALPHABET.get(letter, letter) for letter in text
    )


class GuestWifiCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        network = self.capability_worker.get_single_key(KEY)
        if network is None:
            await self.capability_worker.speak("Nobody has told me the guest network yet.")
        else:
            await self.capability_worker.speak(
                f"The network is {network['name']}. The password is {spell(network['password'])}."
            )
        self.capability_worker.resume_normal_flow()
