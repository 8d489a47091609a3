import {assert, process, test, Writable} from '../helpers/node.ts';
import {CommanderError, type Command, type Option} from 'commander';
import {createCommandLine} from '../../source/commands/command-line.ts';
import {allowedCommands} from '../../source/commands/allowed-commands.ts';
import {restrictCommands} from '../../source/commands/ssh/restrict-commands.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';

/*
All that works over SSH, written down a second time: a new command, option or argument is refused until it stands here as well.
`=-` means that the value can only be “-”.
*/

const globalOptions = new Set(['--version', '--json', '--read-only', '--timeout', '--no-color', '--ascii']);

const switching = ['<installed>', '--all', '--except', '--category', '--agent', '--yes', '--require-names', '--dry-run'];

const allowed: Readonly<Record<string, readonly string[]>> = {
	agents: [],
	'agents list': ['--columns', '--format', '--filter'],
	'agents get': ['<agent>', '--prompt'],
	'agents edit': [
		'<agent>',
		'--name',
		'--prompt',
		'--prompt-file=-',
		'--description',
		'--description-file=-',
		'--abilities',
		'--no-abilities',
		'--yes',
		'--dry-run',
	],
	'agents restore': ['<agent>', '--list', '--columns', '--format', '--version', '--yes', '--dry-run'],
	abilities: [],
	'abilities list': ['--columns', '--format', '--filter'],
	'abilities get': ['<ability>'],
	'abilities versions': ['<ability>', '--columns', '--format'],
	'abilities edit': ['<ability>', '--name', '--description', '--category', '--triggers', '--no-triggers', '--yes', '--dry-run'],
	'abilities restore': ['<ability>', '--version', '--yes', '--dry-run'],
	'abilities delete': ['<ability>', '--yes', '--require-names', '--dry-run'],
	installed: [],
	'installed list': ['--columns', '--format', '--filter', '--on', '--off', '--agent', '--category', '--search'],
	'installed edit': ['<installed>', '--triggers', '--no-triggers', '--dry-run'],
	enable: switching,
	disable: switching,
	toggle: switching,
	install: ['<ability>', '--yes', '--require-names', '--dry-run'],
	uninstall: ['<installed>', '--yes', '--require-names', '--dry-run'],
	export: ['<file>=-'],
	presets: [],
	'presets list': ['--columns', '--format'],
	'presets save': ['<name>', '--dry-run'],
	'presets apply': ['<preset>', '--yes', '--dry-run'],
	'presets diff': ['<preset>', '--exit-code'],
	'presets delete': ['<preset>', '--yes', '--dry-run'],
	plan: ['<state-file>=-', '--prune', '--no-diff', '--exit-code'],
	apply: ['<state-file>=-', '--prune', '--no-diff', '--yes', '--dry-run'],
	history: [],
	'history list': ['<record>', '--columns', '--format', '--since', '--until', '--by', '--kind', '--limit'],
	'history show': ['<change>'],
	'history revert': ['<change>', '--yes', '--dry-run'],
	undo: ['<count>', '--yes', '--dry-run'],
	test: [
		'<installed>',
		'--columns',
		'--format',
		'--all',
		'--state=-',
		'--agent',
		'--pause',
		'--strict',
		'--yes',
		'--require-names',
		'--dry-run',
	],
	say: ['<phrase>', '--agent', '--no-wait', '--dry-run'],
	chat: ['<agent>', '--dry-run'],
	logs: ['<agent>', '--level', '--calls'],
	phrases: ['<sentence>', '--agent', '--columns', '--format'],
	watch: ['--interval'],
	wait: ['<installed>', '--for', '--require-names'],
	status: [],
	help: ['<topic|command>', '--schema'],
	version: [],
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
const tryWords = async (words: readonly string[]): Promise<End> => {
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
};

const program = createCommandLine(() => async () => undefined);

const pathsUnder = (command: Command): ReadonlyArray<readonly [path: string, command: Command]> =>
	command.commands.flatMap(subcommand => {
		const name = command.parent === null ? subcommand.name() : `${command.name()} ${subcommand.name()}`;
		return [[name, subcommand] as const, ...pathsUnder(subcommand)];
	});

const commands = pathsUnder(program);

const ruleOf = (path: string, name: string): 'any' | 'dash' | undefined => {
	const names = allowed[path] ?? [];
	return names.includes(name) ? 'any' : names.includes(`${name}=-`) ? 'dash' : undefined;
};

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

test('every command runs over SSH if it is listed, and is refused otherwise, and so is its help', async () => {
	assert.ok(commands.length > 40, 'the walk finds the commands');
	for (const [path, command] of commands) {
		const isListed = allowed[path] !== undefined;
		assert.equal(await tryWords(leastOf(path, command)), isListed ? 'runs' : 'refused', path);
		assert.equal(await tryWords([...path.split(' '), '--help']), isListed ? 'helps' : 'refused', `${path} --help`);
	}
});

const checkOption = async (path: string, command: Command, option: Option): Promise<void> => {
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
};

test('every option of every command works over SSH if it is listed, and is refused otherwise', async () => {
	for (const [path, command] of commands) {
		const optional = command.options.filter(({mandatory}) => !mandatory);
		await Promise.all(optional.map(async option => checkOption(path, command, option)));
	}
});

/** One with an option of the same name as one of the program's, one with arguments, and one with neither. */
const beforeThese = new Set(['agents restore', 'agents edit', 'status']);

test('every option of all commands works with each command over SSH if it is listed, and is refused otherwise', async () => {
	const listed = commands.filter(([name]) => allowed[name] !== undefined);
	for (const [path, command] of listed) {
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

test('every argument of every command takes over SSH what is listed, and is refused otherwise', async () => {
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

test('nothing is listed that there is not, and no more than here', () => {
	const names = new Map(commands);
	for (const [path, entries] of Object.entries(allowed)) {
		const command = names.get(path) ?? assert.fail(`There is no ${path}`);
		const known = new Set([
			...command.options.map(({long}) => long!),
			...command.registeredArguments.map(argument => `<${argument.name()}>`),
		]);
		assert.deepEqual(
			entries.filter(entry => !known.has(entry.replace(/=-$/, ''))),
			[],
			path,
		);
	}

	assert.deepEqual(Object.keys(allowedCommands).toSorted(), Object.keys(allowed).toSorted());
	for (const [path, {options = {}, arguments: taken = {}}] of Object.entries(allowedCommands)) {
		const entries = [...Object.entries(options), ...Object.entries(taken).map(([name, rule]) => [`<${name}>`, rule] as const)];
		assert.deepEqual(entries.map(([name, rule]) => (rule === 'any' ? name : `${name}=-`)).toSorted(), allowed[path]!.toSorted(), path);
	}
});
