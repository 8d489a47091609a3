import {type SampleAbility} from '../sample-ability.ts';

const main = String.raw`import re

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "medicine_times"


class MedicineTimeCapability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        answer = await self.capability_worker.run_io_loop("At what times shall I remind you? Say them as 8:00.")
        times = sorted(f"{int(hour):02}:{minute}" for hour, minute in re.findall(r"\b([01]?\d|2[0-3])[:. ]([0-5]\d)\b", answer))
        if not times:
            await self.capability_worker.speak("I heard no time, so everything stays as it was.")
        else:
            value = {"times": times}
            if self.capability_worker.get_single_key(KEY) is None:
                self.capability_worker.create_key(KEY, value)
            else:
                self.capability_worker.update_key(KEY, value)
            await self.capability_worker.speak(f"I will remind you at {' and at '.join(times)}.")
        self.capability_worker.resume_normal_flow()
`;

const background = `from datetime import datetime
from zoneinfo import ZoneInfo

from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker

KEY = "medicine_times"


class MedicineTimeBackground(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None
    background_daemon_mode: bool = False

    #{{register capability}}

    def call(self, worker: AgentWorker, background_daemon_mode: bool):
        self.worker = worker
        self.background_daemon_mode = background_daemon_mode
        self.capability_worker = CapabilityWorker(self)
        self.worker.session_tasks.create(self.remind())

    async def remind(self):
        zone = ZoneInfo(self.capability_worker.get_timezone() or "UTC")
        said_at = None
        while True:
            now = f"{datetime.now(zone):%H:%M}"
            times = (self.capability_worker.get_single_key(KEY) or {}).get("times", [])
            # Once a minute is enough to be on time, and once a time is enough to be heard.
            if now in times and now != said_at:
                said_at = now
                await self.capability_worker.send_interrupt_signal()
                await self.capability_worker.speak("It is time for your medicine.")
            await self.worker.session_tasks.sleep(20.0)
`;

export const medicinetime: SampleAbility = {
	name: 'medicinetime',
	category: 'background_daemon',
	description: 'Says when it is time for the medicine, at the times it was told.',
	triggerPhrases: ['medicine times', 'remind me of my medicine'],
	isEnabled: true,
	ageDays: 21,
	sources: {'main.py': main, 'background.py': background},
};
