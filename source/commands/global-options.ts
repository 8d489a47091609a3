/* Read by `cli.ts` before anything is loaded: no imports here, and no syntax that an old Node.js cannot parse. */

type GlobalOption = {
	readonly name: string;
	/** The name of its value in the help; a flag has none. */
	readonly value?: string;
	readonly description: string;
};

/** The options of every command, before or after its name (`docs/compatibility.md`, Commands). None takes a key. */
export const globalOptionTable: readonly GlobalOption[] = [
	{name: 'profile', value: 'name', description: 'use this profile; “local” is the bundled service'},
	{name: 'base-url', value: 'url', description: 'use the service at this address'},
	{name: 'json', description: 'print one JSON value on standard output'},
	{name: 'read-only', description: 'refuse to change anything on the service'},
	{name: 'insecure-http', description: 'allow plain http to another machine'},
	{name: 'timeout', value: 'duration', description: 'give up after this time: 10, 500ms or 2m (default: none)'},
	{name: 'no-color', description: 'print no colour'},
	{name: 'ascii', description: 'print and draw only ASCII characters'},
	{name: 'mouse', description: 'use clicks and the wheel of the mouse in the terminal UI'},
	{name: 'debug', description: 'log requests to a file and print its path'},
];

export const versionFlags: ReadonlySet<string> = new Set(['--version', '-v', '-V']);

/** Tells whether the words are only global options: then the terminal UI opens. */
export function hasGlobalOptionsAlone(words: readonly string[]): boolean {
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
}

/** Tells whether the words request JSON, even by the option of the listing commands: then errors are JSON too. */
export function isJsonWanted(words: readonly string[]): boolean {
	return words.some(
		(word, index) =>
			word === '--json' ||
			word === '--format=json' ||
			word === '-ojson' ||
			(['--format', '-o'].includes(word) && words[index + 1] === 'json'),
	);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options as Commander parses them, with names in camel case. */
export type ParsedGlobalOptions = {
	readonly profile?: string | undefined;
	readonly baseUrl?: string | undefined;
	readonly json?: boolean | undefined;
	readonly readOnly?: boolean | undefined;
	readonly insecureHttp?: boolean | undefined;
	/** Milliseconds. */
	readonly timeout?: number | undefined;
	readonly color: boolean;
	readonly ascii?: boolean | undefined;
	readonly mouse?: boolean | undefined;
	readonly debug?: boolean | undefined;
};

/** The values that `--timeout` accepts. */
export const timeoutValue = 'a number of seconds, such as 10 or 0.5, up to 86400, or one with a unit: 500ms, 5s, 2m';

const unitMilliseconds: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000};

/** Returns the milliseconds of `--timeout`: seconds, or a number with its unit; `undefined` if it is neither, or longer than a day. */
export function parseTimeout(text: string): number | undefined {
	const {groups} = /^(?<count>\d+(?:\.\d+)?)(?<unit>ms|s|m)?$/.exec(text) ?? {};
	const {count = '0', unit = 's'} = groups ?? {};
	const milliseconds = Number(count) * unitMilliseconds[unit]!;
	return milliseconds > 0 && milliseconds <= 86_400_000 ? milliseconds : undefined;
}

/** Returns the global options of a command. With `isColorForced` colour is printed in a pipe or a file, too. */
export function toGlobalOptions(options: ParsedGlobalOptions, env: Environment) {
	return {
		profile: options.profile,
		baseUrl: options.baseUrl,
		isJson: options.json ?? false,
		isReadOnly: options.readOnly ?? false,
		isInsecureHttpAllowed: options.insecureHttp ?? false,
		timeoutMilliseconds: options.timeout,
		...chooseColor(options, env),
		isAscii: options.ascii ?? false,
		isMouseWanted: options.mouse ?? false,
		isDebug: options.debug ?? false,
	};
}

export type GlobalOptions = Readonly<ReturnType<typeof toGlobalOptions>>;

/**
Returns whether colour is wanted, and whether it is forced without a terminal. As in Node.js and gh: `--no-color` comes first, then
`FORCE_COLOR`, whose 0 and false mean none, then `NO_COLOR` (https://no-color.org), then `CLICOLOR_FORCE`, then the terminal.
*/
function chooseColor({color}: ParsedGlobalOptions, env: Environment) {
	const {FORCE_COLOR: force = '', NO_COLOR: no = '', CLICOLOR_FORCE: cliForce = '', TERM: term} = env;
	const isOff = !color || force === '0' || force === 'false' || (force === '' && no !== '');
	const isColorForced = !isOff && (force !== '' || (cliForce !== '' && cliForce !== '0'));
	return {isColorForced, isColorWanted: isColorForced || (!isOff && term !== 'dumb')};
}
