import {type SampleAbility} from '../sample-ability.ts';

const main = `from time import time

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "laundry"
PROGRAM_MINUTES = {"quick": 30, "cotton": 120, "wool": 45}


class LaundryWatchCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        answer = (await self.capability_worker.run_io_loop("Quick, cotton or wool?")).lower()
        program = next((name for name in PROGRAM_MINUTES if name in answer), "cotton")
        value = {"done_at": time() + PROGRAM_MINUTES[program] * 60}
        if self.capability_worker.get_single_key(KEY) is None:
            self.capability_worker.create_key(KEY, value)
        else:
            self.capability_worker.update_key(KEY, value)
        await self.capability_worker.speak(f"{program.capitalize()}. I will call you in {PROGRAM_MINUTES[program]} minutes.")
        self.capability_worker.resume_normal_flow()
`;

const background = `from time import time

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "laundry"


class LaundryWatchBackground(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None
    background_daemon_mode: bool = False

    #{{register capability}}

    def call(self, worker: AgentWorker, background_daemon_mode: bool):
        self.worker = worker
        self.background_daemon_mode = background_daemon_mode
        self.capability_worker = CapabilityWorker(self)
        self.worker.session_tasks.create(self.watch())

    async def watch(self):
        while True:
            washing = self.capability_worker.get_single_key(KEY)
            if washing is not None and time() >= washing.get("done_at", 0):
                self.capability_worker.delete_key(KEY)
                await self.capability_worker.send_interrupt_signal()
                await self.capability_worker.speak("The laundry is done, and it will not hang itself.")
            await self.worker.session_tasks.sleep(60.0)
`;

export const laundrywatch: SampleAbility = {
	name: 'laundrywatch',
	category: 'background_daemon',
	description: 'Remembers when the machine was started and calls when it is done.',
	triggerPhrases: ['start the laundry'],
	isEnabled: true,
	ageDays: 1.4,
	sources: {'main.py': main, 'background.py': background},
};
