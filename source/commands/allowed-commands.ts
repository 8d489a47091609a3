/** The allowed values of an option or an argument: any, or only `-`, which is the client's standard input or standard output. */
export type AllowedValue = 'any' | 'input' | 'output';

type AllowedValues = Readonly<Record<string, AllowedValue>>;

const anyOf = (...names: readonly string[]): AllowedValues => Object.fromEntries(names.map(name => [name, 'any']));

type AllowedCommand = {
	/** By the name in the help. */
	readonly arguments?: AllowedValues;
	/** By the long flag. */
	readonly options?: AllowedValues;
};

const list: AllowedCommand = {options: anyOf('--columns', '--format')};

const recordList: AllowedCommand = {options: {...list.options, ...anyOf('--filter')}};

const switching: AllowedCommand = {
	arguments: anyOf('installed'),
	options: anyOf('--all', '--except', '--category', '--agent', '--yes', '--require-names', '--dry-run', '--for', '--until', '--note'),
};

/** The options of every command that are allowed over SSH. All others choose a service or a key, or write on the server. */
export const allowedGlobalOptions: AllowedValues = anyOf('--json', '--read-only', '--timeout', '--no-color', '--ascii', '--version');

/** The commands that are allowed over SSH, by their words, with the arguments and options of each; everything else is refused. */
export const allowedCommands: Readonly<Record<string, AllowedCommand>> = {
	agents: {},
	'agents list': recordList,
	'agents get': {arguments: anyOf('agent'), options: anyOf('--prompt')},
	'agents edit': {
		arguments: anyOf('agent'),
		options: {
			...anyOf('--name', '--prompt', '--description', '--abilities', '--no-abilities', '--yes', '--dry-run'),
			'--prompt-file': 'input',
			'--description-file': 'input',
		},
	},
	'agents restore': {arguments: anyOf('agent'), options: anyOf('--list', '--columns', '--format', '--version', '--yes', '--dry-run')},
	abilities: {},
	'abilities list': recordList,
	'abilities get': {arguments: anyOf('ability')},
	'abilities versions': {arguments: anyOf('ability'), ...list},
	'abilities edit': {
		arguments: anyOf('ability'),
		options: anyOf('--name', '--description', '--category', '--triggers', '--no-triggers', '--yes', '--dry-run'),
	},
	'abilities restore': {arguments: anyOf('ability'), options: anyOf('--version', '--yes', '--dry-run')},
	'abilities delete': {arguments: anyOf('ability'), options: anyOf('--yes', '--require-names', '--dry-run')},
	installed: {},
	'installed list': {options: {...recordList.options, ...anyOf('--on', '--off', '--agent', '--category', '--search')}},
	'installed edit': {arguments: anyOf('installed'), options: anyOf('--triggers', '--no-triggers', '--dry-run')},
	enable: switching,
	disable: switching,
	toggle: switching,
	timers: {},
	'timers list': list,
	'timers set': {arguments: anyOf('installed'), options: anyOf('--for', '--until', '--note', '--yes', '--require-names', '--dry-run')},
	'timers cancel': {arguments: anyOf('installed'), options: anyOf('--all', '--by', '--yes', '--require-names', '--dry-run')},
	install: {arguments: anyOf('ability'), options: anyOf('--yes', '--require-names', '--dry-run')},
	uninstall: {arguments: anyOf('installed'), options: anyOf('--yes', '--require-names', '--dry-run')},
	export: {arguments: {file: 'output'}, options: anyOf('--at')},
	presets: {},
	'presets list': list,
	'presets save': {arguments: anyOf('name'), options: anyOf('--dry-run')},
	'presets apply': {arguments: anyOf('preset'), options: anyOf('--for', '--until', '--note', '--yes', '--dry-run')},
	'presets diff': {arguments: anyOf('preset'), options: anyOf('--exit-code')},
	'presets delete': {arguments: anyOf('preset'), options: anyOf('--yes', '--dry-run')},
	plan: {arguments: {'state-file': 'input'}, options: anyOf('--at', '--prune', '--now', '--no-diff', '--exit-code')},
	apply: {arguments: {'state-file': 'input'}, options: anyOf('--at', '--prune', '--now', '--no-diff', '--dry-run', '--yes')},
	history: {},
	'history list': {
		arguments: anyOf('record'),
		options: {...list.options, ...anyOf('--since', '--until', '--by', '--kind', '--limit', '--summary')},
	},
	'history show': {arguments: anyOf('change')},
	'history revert': {arguments: anyOf('change'), options: anyOf('--yes', '--dry-run')},
	undo: {arguments: anyOf('count'), options: anyOf('--since', '--by', '--force', '--yes', '--dry-run')},
	test: {
		arguments: anyOf('installed'),
		options: {
			...list.options,
			...anyOf('--all', '--agent', '--pause', '--strict', '--yes', '--require-names', '--dry-run'),
			'--state': 'input',
		},
	},
	say: {arguments: anyOf('phrase'), options: anyOf('--agent', '--no-wait', '--dry-run')},
	chat: {arguments: anyOf('agent'), options: anyOf('--dry-run')},
	logs: {arguments: anyOf('agent'), options: anyOf('--level', '--calls')},
	phrases: {arguments: anyOf('sentence'), options: anyOf('--agent', '--columns', '--format')},
	watch: {options: anyOf('--interval')},
	wait: {arguments: anyOf('installed'), options: anyOf('--for', '--require-names')},
	status: {},
	help: {arguments: anyOf('topic|command'), options: anyOf('--schema')},
	version: {},
};

const withSubcommands: ReadonlySet<string> = new Set(
	Object.keys(allowedCommands)
		.filter(name => name.includes(' '))
		.map(name => name.split(' ', 1)[0]!),
);

const typedProgram = /(?<![\w"'\-./“])switchboard (?=[-[a-z])/g;

/** Returns the text with its commands as a person types them over SSH, without `switchboard`. */
export function asTypedOverSsh(text: string): string {
	return text.replaceAll(typedProgram, 'ssh HOST ');
}

/**
Returns a message with its commands in this form. Commands that are not available over SSH stay as they are, as they are meant for another
machine.
*/
export function hintOverSsh(text: string): string {
	return text.replaceAll(typedProgram, (typed, offset: number) => (isThere(text.slice(offset + typed.length)) ? 'ssh HOST ' : typed));
}

/** Tells whether the words begin with a command that is available over SSH, or with an option. */
function isThere(words: string): boolean {
	const {first, second} = /^(?<first>[a-z][-a-z]*)?(?: (?<second>[a-z][-a-z]*))?/.exec(words)?.groups ?? {};
	return (
		first === undefined || Object.hasOwn(allowedCommands, second !== undefined && withSubcommands.has(first) ? `${first} ${second}` : first)
	);
}
