/*
Read by the door, before anything is loaded: no import here, and nothing that an old Node.js could not read.
*/

type GlobalOption = {
	readonly name: string;
	/** What its value is called in the help; without it, it is a flag. */
	readonly value?: string;
	readonly description: string;
};

/** The options that stand before or after every command (`CONTRACT.md`, Commands). None of them takes a key. */
export const globalOptionTable: readonly GlobalOption[] = [
	{name: 'profile', value: 'name', description: 'use this profile, also named by SWITCHBOARD_PROFILE; “local” is the bundled service on this machine'},
	{name: 'base-url', value: 'url', description: 'use the service at this address'},
	{name: 'json', description: 'print one JSON value on standard output'},
	{name: 'read-only', description: 'refuse everything that would change something on the service'},
	{name: 'insecure-http', description: 'allow plain http to another machine in this run'},
	{name: 'timeout', value: 'seconds', description: 'wait at most so long for each answer'},
	{name: 'no-color', description: 'use no colour'},
	{name: 'ascii', description: 'print and draw with ASCII characters alone'},
	{name: 'debug', description: 'write a log of the requests to a file and say where'},
];

/** True where the words name no command and ask for no help: then the terminal UI is meant. */
export const hasGlobalOptionsAlone = (words: readonly string[]): boolean => {
	for (let index = 0; index < words.length; index++) {
		const word = words[index]!;
		const [flag] = word.split('=', 1);
		const option = globalOptionTable.find(({name}) => `--${name}` === flag);
		if (option === undefined || (option.value === undefined && flag !== word)) {
			return false;
		}

		// The next word is its value.
		if (option.value !== undefined && flag === word) {
			index++;
		}
	}

	return true;
};
