import {assert, process, test, Writable} from '../helpers/node.ts';
import {CommanderError, type Command, type Option} from 'commander';
import {createCommandLine} from '../../source/commands/command-line.ts';
import {allowedCommands} from '../../source/commands/allowed-commands.ts';
import {restrictCommands} from '../../source/commands/ssh/restrict-commands.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';

/*
What is refused over SSH, written down once more: all else has to work. A new command or option fails until it is listed as allowed, or here.
*/

const globalOptions = new Set(['--version', '--json', '--read-only', '--timeout', '--no-color', '--ascii']);

/** Commands, with those below them. */
const refusedCommands: readonly string[] = [
	...'new check upload push pull diff'.split(' ').map(name => `abilities ${name}`),
	'timers run',
	...'state login logout profiles serve ssh-serve keys accounts backup restore check copy migrate api mcp completion'.split(' '),
];

/** By the command. */
const refusedOptions: Readonly<Record<string, readonly string[]>> = {
	enable: ['--wait'],
	disable: ['--wait'],
	toggle: ['--wait'],
	'timers set': ['--wait'],
	'presets apply': ['--wait'],
	export: ['--into', '--sources', '--hidden', '--force', '--dry-run'],
	plan: ['--allow-outside'],
	apply: ['--allow-outside'],
	watch: ['--exec'],
	help: ['--unit', '--socket-unit'],
};

/** The only value of these is “-”. */
const withDashOnly: Readonly<Record<string, readonly string[]>> = {
	'agents edit': ['--prompt-file', '--description-file'],
	export: ['<file>'],
	plan: ['<state-file>'],
	apply: ['<state-file>'],
	test: ['--state'],
};

/** Values that the parsers of options take. */
const values: Readonly<Record<string, string>> = {
	'--version': '1',
	'--timeout': '5',
	'--interval': '60',
	'--for': 'on',
	'--level': 'info',
	'--format': 'json',
	'--port': '1',
	'--category': 'skill',
	'--rate-limit': '10',
	'--quota': '1000',
	'--history': '10',
	'--log': 'json',
	'--metrics': '127.0.0.1:9',
	'--host': '127.0.0.1',
	'--from': 'here',
	'--to': 'there',
	'--at': '2d',
	'--since': '2d',
	'--until': '1d',
	'--pause': '2',
	'--limit': '5',
};

type End = 'runs' | 'helps' | 'refused';

const silent = new Writable({
	write(_chunk, _encoding, done) {
		done();
	},
});

/** What becomes of a command line over SSH, without what the command does. */
async function tryWords(words: readonly string[]): Promise<End> {
	let hasRun = false;
	const program = createCommandLine(
		() => async () => {
			hasRun = true;
		},
		{stdin: process.stdin, stdout: silent, stderr: silent},
	);
	restrictCommands(program);
	try {
		await program.parseAsync([...words], {from: 'user'});
	} catch (error) {
		if (error instanceof SwitchboardError && error.kind === 'refused') {
			assert.match(error.message, /is not available over SSH\.$|can only be “-” over SSH: files are out of reach here\.$/);
			assert.ok(!hasRun);
			return 'refused';
		}

		if (error instanceof CommanderError && ['commander.helpDisplayed', 'commander.version'].includes(error.code)) {
			return 'helps';
		}

		throw new Error(`“${words.join(' ')}” ended otherwise`, {cause: error});
	}

	assert.ok(hasRun, words.join(' '));
	return 'runs';
}

const program = createCommandLine(() => async () => undefined);

const pathsUnder = (command: Command): ReadonlyArray<readonly [path: string, command: Command]> =>
	command.commands.flatMap(subcommand => {
		const name = command.parent === null ? subcommand.name() : `${command.name()} ${subcommand.name()}`;
		return [[name, subcommand] as const, ...pathsUnder(subcommand)];
	});

const commands = pathsUnder(program);

const isRefused = (path: string): boolean => refusedCommands.some(refused => path === refused || path.startsWith(`${refused} `));

const ruleOf = (path: string, name: string): 'any' | 'dash' | undefined =>
	isRefused(path) || refusedOptions[path]?.includes(name) ? undefined : withDashOnly[path]?.includes(name) ? 'dash' : 'any';

/** The least that a command takes: its required arguments and options. */
const leastOf = (path: string, {registeredArguments, options}: Command): readonly string[] => [
	...path.split(' '),
	...registeredArguments
		.filter(({required}) => required)
		.map(argument => argument.argChoices?.[0] ?? (ruleOf(path, `<${argument.name()}>`) === 'dash' ? '-' : 'pantry')),
	...options.filter(({mandatory}) => mandatory).flatMap(({long}) => [long!, values[long!]!]),
];

const flagWith = ({long, required, argChoices}: Option, value?: string): readonly string[] =>
	required ? [long!, value ?? values[long!] ?? argChoices?.[0] ?? 'x'] : [long!];

test('every command runs over SSH unless it is listed as refused, and so does its help', async () => {
	assert.ok(commands.length > 40, 'the walk finds the commands');
	for (const [path, command] of commands) {
		assert.equal(await tryWords(leastOf(path, command)), isRefused(path) ? 'refused' : 'runs', path);
		assert.equal(await tryWords([...path.split(' '), '--help']), isRefused(path) ? 'refused' : 'helps', `${path} --help`);
	}
});

async function checkOption(path: string, command: Command, option: Option): Promise<void> {
	const rule = ruleOf(path, option.long!);
	const least = leastOf(path, command);
	const title = `${path} ${option.long!}`;
	assert.equal(
		await tryWords([...least, ...flagWith(option, rule === 'dash' ? '-' : undefined)]),
		rule === undefined ? 'refused' : 'runs',
		title,
	);
	if (!option.required || rule === 'any') {
		return;
	}

	const others = [flagWith(option, './x'), [`${option.long!}=/etc/passwd`]];
	assert.deepEqual(await Promise.all(others.map(async words => tryWords([...least, ...words]))), ['refused', 'refused'], title);
}

test('every option of every command works over SSH unless it is listed as refused', async () => {
	for (const [path, command] of commands) {
		const optional = command.options.filter(({mandatory}) => !mandatory);
		await Promise.all(optional.map(async option => checkOption(path, command, option)));
	}
});

/** One with an option of the same name as one of the program's, one with arguments, and one with neither. */
const beforeThese = new Set(['agents restore', 'agents edit', 'status']);

test('every option of all commands works with each command over SSH if it is listed, and is refused otherwise', async () => {
	for (const [path, command] of commands.filter(([name]) => !isRefused(name))) {
		for (const option of program.options) {
			const isListed = globalOptions.has(option.long!);
			const end = isListed ? (option.long === '--version' ? 'helps' : 'runs') : 'refused';
			// After a command that has an option of the same name, it is that one.
			if (command.options.every(({long}) => long !== option.long)) {
				assert.equal(await tryWords([...leastOf(path, command), ...flagWith(option)]), end, `${path} ${option.long!}`);
			}

			// Before a command, it is that of the program whatever follows.
			if (beforeThese.has(path)) {
				assert.equal(await tryWords([...flagWith(option), ...leastOf(path, command)]), end, `${option.long!} ${path}`);
			}
		}
	}
});

test('every argument of every command takes any value over SSH, or only “-” if it is listed so', async () => {
	for (const [path, command] of commands) {
		const given: string[] = path.split(' ');
		for (const argument of command.registeredArguments) {
			const rule = ruleOf(path, `<${argument.name()}>`);
			const rest = command.options.filter(({mandatory}) => mandatory).flatMap(option => flagWith(option));
			const ends = await Promise.all(['-', './x'].map(async word => tryWords([...given, word, ...rest])));
			const others = rule === 'any' ? 'runs' : 'refused';
			assert.deepEqual(ends, [rule === undefined ? 'refused' : 'runs', others], `${path} <${argument.name()}>`);
			given.push(rule === 'dash' ? '-' : 'x');
		}
	}
});

test('nothing is listed that there is not', () => {
	const names = new Map(commands);
	const entries: ReadonlyArray<readonly [path: string, names: readonly string[]]> = [
		...refusedCommands.map(path => [path, []] as const),
		...Object.entries(refusedOptions),
		...Object.entries(withDashOnly),
		...Object.entries(allowedCommands).map(
			([path, {options = {}, arguments: taken = {}}]) =>
				[path, [...Object.keys(options), ...Object.keys(taken).map(name => `<${name}>`)]] as const,
		),
	];
	for (const [path, listed] of entries) {
		const {options, registeredArguments} = names.get(path) ?? assert.fail(`There is no ${path}`);
		const known = new Set([...options.map(({long}) => long!), ...registeredArguments.map(argument => `<${argument.name()}>`)]);
		assert.deepEqual(
			listed.filter(entry => !known.has(entry)),
			[],
			path,
		);
	}
});
