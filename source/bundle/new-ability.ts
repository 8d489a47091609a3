import {Buffer} from 'node:buffer';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import type {Category} from '../interface/categories.ts';

const imports = `from src.agent.capability import MatchingCapability
from src.main import AgentWorker
from src.agent.capability_worker import CapabilityWorker
`;

/** The main file; `talk` is the action of the ability. */
const mainFile = (name: string, talk: string, moreImports = ''): string => `${moreImports}${imports}

class ${name}Capability(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None

    # The service puts code in the place of this line.
    #{{register capability}}

    def call(self, worker: AgentWorker):
        self.worker = worker
        self.capability_worker = CapabilityWorker(self.worker)
        self.worker.session_tasks.create(self.run())

    async def run(self):
        try:
            await self.talk()
        finally:
            # Until this is called, the agent leaves the conversation to the ability.
            self.capability_worker.resume_normal_flow()

    async def talk(self):
${talk}`;

const conversation = `        answer = await self.capability_worker.run_io_loop("What shall I say after you?")
        await self.capability_worker.speak(f"You said: {answer}")
`;

const deviceCall = `        result = await self.capability_worker.send_devkit_capability_action(
            function_name="describe_device", args=[], timeout=8
        )
        if not isinstance(result, dict) or not result.get("success"):
            await self.capability_worker.speak("The device does not answer.")
            return

        device = json.loads(result.get("output") or "{}")
        await self.capability_worker.speak(f"I run on {device.get('system', 'an unknown system')}.")
`;

const backgroundFile = (name: string): string => `${imports}
PAUSE_SECONDS = 60.0


class ${name}Background(MatchingCapability):
    worker: AgentWorker = None
    capability_worker: CapabilityWorker = None
    background_daemon_mode: bool = False

    # The service puts code in the place of this line.
    #{{register capability}}

    def call(self, worker: AgentWorker, background_daemon_mode: bool):
        self.worker = worker
        self.background_daemon_mode = background_daemon_mode
        self.capability_worker = CapabilityWorker(self)
        self.worker.session_tasks.create(self.watch())

    async def watch(self):
        while True:
            count = len(self.capability_worker.get_full_message_history())
            self.worker.editor_logging_handler.info(f"${name}: {count} messages so far")
            await self.worker.session_tasks.sleep(PAUSE_SECONDS)
`;

/** The service runs it as a program on the device, with the name of a function, and reads its output. */
const deviceFile = `import json
import platform
import sys


def describe_device():
    print(json.dumps({"system": platform.system()}))


FUNCTIONS = {"describe_device": describe_device}

if __name__ == "__main__":
    FUNCTIONS[sys.argv[1]](*sys.argv[2:])
`;

type Kind = {readonly files: (name: string) => Readonly<Record<string, string>>; readonly about: string};

const kinds: Readonly<Record<Category, Kind>> = {
	skill: {
		files: name => ({'main.py': mainFile(name, conversation)}),
		about: 'It begins when somebody says one of its trigger phrases, asks what to say, and says it.',
	},
	brain_skill: {
		files: name => ({'main.py': mainFile(name, conversation)}),
		about: 'The agent decides by its description when it begins. It asks what to say, and says it.',
	},
	background_daemon: {
		files: name => ({'main.py': mainFile(name, conversation), 'background.py': backgroundFile(name)}),
		about:
			'`background.py` runs as long as a session, and needs no trigger phrase. `main.py` is for those who say one, and may be left out.',
	},
	local: {
		files: name => ({'main.py': mainFile(name, deviceCall, 'import json\n\n'), 'devkit_functions.py': deviceFile}),
		about: '`main.py` asks the device what it runs on; `devkit_functions.py` runs there and answers.',
	},
};

/** Returns the files of a small working ability of a category. Its texts are ASCII, except for the name in its README. */
export function newAbilityFiles(folder: string, category: Category): readonly PackageFile[] {
	const {files, about} = kinds[category];
	const texts = {'__init__.py': '', ...files(className(folder)), 'README.md': `# ${folder}\n\n${about}\n`};
	return Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text)}));
}

/** Returns the words of a folder's name as a class name, such as `NightLamp` for `night-lamp`. */
function className(folder: string): string {
	const words = folder
		.normalize('NFKD')
		.replaceAll(/[^\da-z]+/gi, ' ')
		.trim()
		.split(' ');
	const joined = words.map(word => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
	return /^[A-Z]/.test(joined) ? joined.slice(0, 60) : `My${joined.slice(0, 60)}`;
}
