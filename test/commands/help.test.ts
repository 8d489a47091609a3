import {assert, copyFileSync, mkdirSync, path, readFile, test} from '../helpers/node.ts';
import type {Command} from 'commander';
import {createCommandLine} from '../../source/commands/command-line.ts';
import {allowedCommands} from '../../source/commands/allowed-commands.ts';
import {layTopic} from '../../source/commands/help/layout.ts';
import {topicTexts} from '../../source/commands/help/topics.ts';
import {topics} from '../../source/commands/help.ts';
import {exitCodes} from '../../source/interface/errors.ts';
import {isJsonObject, type JsonObject} from '../../source/interface/json.ts';
import {limits} from '../../source/service/http/limits.ts';
import {stateSchema} from '../../source/state/schema.ts';
import {checkKeyOverrides} from '../../source/tui/keys/key-overrides.ts';
import {actionNames, keyTable} from '../../source/words/key-table.ts';
import {readSourceFiles} from '../helpers/source-imports.ts';
import {createIsolatedHome, ended, runCommand, serveInProcess} from './kit.ts';

const program = createCommandLine(() => async () => undefined);

function helpOf(command: Command): string {
	let help = '';
	command.configureOutput({
		writeOut(text) {
			help += text;
		},
	});
	command.outputHelp();
	return help;
}

/** A command and all below it. */
const commandsOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(subcommand => commandsOf(subcommand))];

const topicText = async (name: string, width = 80): Promise<string> =>
	layTopic(await topics.find(topic => topic.name === name)!.load(), width);

/** Every command without subcommands, by its words. */
const leavesOf = (command: Command, parents: readonly string[] = []): ReadonlyArray<readonly string[]> =>
	command.commands.flatMap(subcommand => {
		const words = [...parents, subcommand.name()];
		return subcommand.commands.length === 0 ? [words] : leavesOf(subcommand, words);
	});

/** The groups of commands in the help of the program, a group in a line. */
const groupsIn = (help: string): string =>
	/\nCommands .*:\n(?<groups>[\s\S]*?)\n\n/.exec(help)!.groups!['groups']!.replaceAll(/\n {3,}/g, ' ');

test('the help of the program fits in 50 lines, examples first, and names every command and every topic', () => {
	const help = helpOf(program);
	assert.ok(help.split('\n').length <= 51, help);
	assert.deepEqual(
		help.match(/^\S.*:(?= |$)/gm)?.map(title => title.split(' (', 1)[0]),
		['Usage:', 'Examples:', 'Commands', 'Options of every command:', 'Help topics'],
	);
	const named = new Set(
		[...groupsIn(help).matchAll(/(?<=[ (,]) ?(?<name>[-a-z]+)(?: \((?<below>.*?)\))?(?=,|$)/gm)].flatMap(({groups}) => [
			groups!['name'],
			...(groups!['below']?.split(', ').map(below => `${groups!['name']} ${below}`) ?? []),
		]),
	);
	// `agents list` is the same as `agents`.
	const paths = leavesOf(program).map(words => words.join(' ').replace(/^(?!keys)(?<listing>\w+) list$/, '$<listing>'));
	assert.ok(paths.length > 45);
	assert.deepEqual(
		paths.filter(words => !named.has(words)),
		[],
		[...named].join('; '),
	);
	assert.match(
		groupsIn(help),
		/^ {2}Run a service +serve, ssh-serve, keys \(create, list, rotate, revoke\), accounts \(delete\), backup,/m,
	);
	assert.deepEqual(
		topics.filter(({name}) => !new RegExp(String.raw`\b${name}\b`).test(help.slice(help.indexOf('Help topics')))),
		[],
	);
});

test('the help of a command has its sections in order, and the names of the options that it shares with all', () => {
	const find = (...words: readonly string[]): Command => {
		let command: Command = program;
		for (const word of words) {
			command = command.commands.find(subcommand => subcommand.name() === word)!;
		}

		return command;
	};

	const titlesOf = (command: Command): readonly string[] =>
		helpOf(command)
			.match(/^[A-Z][^.]*?:(?= |$)/gm)!
			.map(title => title.split(' (', 1)[0]!);
	const shared =
		/\nOptions of every command \(see switchboard --help\):\n {2}--profile, --base-url, --json, --read-only, --insecure-http, --timeout,\n {2}--no-color, --ascii, --debug\n$/;
	assert.deepEqual(titlesOf(find('enable')), [
		'Usage:',
		'Alias:',
		'Arguments:',
		'Options:',
		'Examples:',
		'Exit codes',
		'Options of every command',
	]);
	assert.deepEqual(titlesOf(find('abilities')), ['Usage:', 'Aliases:', 'Options:', 'Commands:', 'Examples:', 'Options of every command']);
	assert.match(helpOf(find('enable')), shared);
	assert.match(helpOf(find('abilities', 'pull')), shared);
	assert.match(
		helpOf(find('enable')),
		/^Usage: switchboard enable \[options\] \[installed\.\.\.\]\n\nSwitch installed abilities on\.\n\nAlias: switchboard on\n/,
	);
	assert.match(helpOf(find('abilities')), /\nAliases: switchboard abilities list, switchboard abilities ls\n/);
	assert.match(helpOf(find('abilities')), /\n {2}upload <folder\|zip> +upload /);
	assert.match(helpOf(find('completion')), /\n {2}shell +the shell \(choices: bash, zsh, fish\)\n/);
	assert.match(helpOf(find('wait')), /\n {2}--for <state> +the state to wait for \(choices: on, off\)\n/);
});

test('a command that is named has the same help as in the whole command line', () => {
	for (const command of program.commands) {
		const [alone] = createCommandLine(() => async () => undefined, undefined, undefined, command.name()).commands;
		assert.deepEqual(commandsOf(alone!).map(helpOf), commandsOf(command).map(helpOf));
	}
});

test('no line of any help is wider than 80 columns, and lists fit a terminal of 40', () => {
	const all = commandsOf(createCommandLine(() => async () => undefined));
	assert.ok(all.length > 50);
	for (const command of all) {
		assert.deepEqual(
			helpOf(command)
				.split('\n')
				.filter(line => line.length > 80),
			[],
			command.name(),
		);
		command.configureOutput({getOutHelpWidth: () => 40});
		const lists = helpOf(command).match(/(?<=\n)(?:Arguments|Options|Commands|Exit codes)[\s\S]*?\n(?:\n|$)/g) ?? [];
		assert.deepEqual(
			lists.flatMap(list => list.split('\n')).filter(line => line.length > 40),
			[],
			command.name(),
		);
	}
});

test('headings are bold on a terminal alone, and --ascii counts for help too', async () => {
	const {env} = createIsolatedHome();
	const asked = ['abilities', 'delete', '--help'];
	const inPipe = await runCommand(asked, {env});
	assert.match(inPipe.stdout, /“-” reads them/);
	const bold = inPipe.stdout.replaceAll(/^(?:Usage|Alias|[A-Z][^\n.]*(?=:$)):/gm, title => `\u{1B}[1m${title}\u{1B}[22m`);
	assert.match(bold, /^\u{1B}\[1mUsage:[\s\S]*\n\u{1B}\[1mOptions:[\s\S]*\n\u{1B}\[1mExit codes /u);
	const forced = await runCommand(asked, {env: {...env, FORCE_COLOR: '1'}});
	assert.equal(forced.stdout, bold);
	assert.equal((await runCommand(['help', 'abilities', 'delete'], {env: {...env, FORCE_COLOR: '1'}})).stdout, bold);
	assert.equal((await runCommand([...asked, '--no-color'], {env: {...env, FORCE_COLOR: '1'}})).stdout, inPipe.stdout);
	assert.match((await runCommand([...asked, '--ascii'], {env})).stdout, /"-" reads them/);
});

test('every command has examples in its help', () => {
	const helps = commandsOf(program).map(command => helpOf(command));
	assert.ok(helps.length > 20);
	assert.deepEqual(
		helps.filter(help => !help.includes('\nExamples:\n')),
		[],
	);
});

test('a topic beats a command of its name, and `help` alone is the help of the program', async () => {
	const home = createIsolatedHome();
	const keys = await runCommand(['help', 'keys'], {env: home.env});
	assert.deepEqual([keys.exitCode, keys.stderr, keys.stdout], [0, '', `${await topicText('keys')}\n`]);
	assert.match(keys.stdout, /\nAPI keys of the bundled service: switchboard keys --help\n$/);
	assert.match((await runCommand(['help', 'keys', 'create'], {env: home.env})).stdout, /^Usage: switchboard keys create/);
	const alone = await runCommand(['help'], {env: home.env});
	assert.deepEqual(alone, await runCommand(['--help'], {env: home.env}));
	assert.match(alone.stdout, /\nHelp topics/);
});

test('the schema of the state file is printed for editors, and nothing else has one', async () => {
	const home = createIsolatedHome();
	const schema = await runCommand(['help', 'state', '--schema'], {env: home.env});
	assert.deepEqual([schema.exitCode, schema.stderr, JSON.parse(schema.stdout)], [0, '', structuredClone(stateSchema)]);
	const state = await runCommand(['help', 'state'], {env: home.env});
	assert.match(
		state.stdout,
		/\n {2}switchboard help state --schema > state\.schema\.json\n {2}# yaml-language-server: \$schema=\.\/state\.schema\.json\n$/,
	);
	for (const words of [
		['help', 'keys', '--schema'],
		['help', '--schema'],
		['help', 'export', '--schema'],
	]) {
		const {exitCode, stdout, stderr} = await runCommand(words, {env: home.env});
		assert.deepEqual([exitCode, stdout, stderr], [2, '', 'Only the state file has a schema.\nUse: switchboard help state --schema\n']);
	}
});

test('what the help on operating says of a copied file is true: alone it has nothing, not even the key', async () => {
	const said = 'There are no keys. Create one with: switchboard keys create\n';
	assert.match(
		(await topicText('operating')).replaceAll(/\s+/g, ' '),
		/Do not copy only switchboard\.db: the last changes are in switchboard\.db-wal, and for a new database all of them\./,
	);
	const home = createIsolatedHome();
	await using _ = await serveInProcess(home, '--sample');
	assert.equal((await runCommand(['keys', 'create'], {env: home.env})).exitCode, 0);
	const copy = path.join(home.folder, 'copy');
	mkdirSync(copy, {mode: 0o700});
	copyFileSync(path.join(home.env['XDG_DATA_HOME']!, 'switchboard/switchboard.db'), path.join(copy, 'switchboard.db'));
	assert.deepEqual(await runCommand(['keys', 'list', '--data', copy], {env: home.env}), ended(0, '', `${said.trimEnd()} --data ${copy}\n`));
});

test('the help for operators and the page on performance have the limits that the service has', async () => {
	const texts = await Promise.all(
		topics.filter(({name}) => ['operating', 'limits', 'proxies'].includes(name)).map(async ({load}) => layTopic(await load(), 10_000)),
	);
	const page = await readFile(path.resolve(import.meta.dirname, '../../docs/performance.md'), 'utf8');
	const help = [...texts, page].join('\n');
	const {streamsPerKey, waitingRequests} = limits;
	const connections = limits.connections.toLocaleString('en');
	const streams = limits.streams.toLocaleString('en');
	for (const text of [
		`A process takes ${connections} connections at once.`,
		`A connection that sends more than ${waitingRequests} requests at once`,
		`A key may have ${streamsPerKey} streams at once, a process ${streams};`,
		`A key may have ${limits.conversationsPerKey} conversations at once, an address ${limits.conversationsPerAddress}, a process ${limits.conversations.toLocaleString('en')};`,
		`a process takes ${connections}.`,
		`a process has room for ${streams} of them`,
	]) {
		assert.ok(help.includes(text), text);
	}
});

test('a topic fits the screen', async () => {
	for (const {name} of topics) {
		const lines = (await topicText(name)).split('\n');
		assert.ok(lines.length > 5, name);
		assert.deepEqual(
			lines.filter(line => line.length > 80),
			[],
			name,
		);
	}
});

test('the keys have every action with its keys', async () => {
	const lines = (await topicText('keys', 300)).split('\n');
	assert.deepEqual(
		actionNames.filter(name => lines.every(line => !(line.includes(` ${name} `) && line.endsWith(` ${keyTable[name].description}`)))),
		[],
	);
});

test('the example of own keys is one that the program takes', async () => {
	const example: unknown = JSON.parse(/\n {2}(?<json>\{"keys": .*\})\n/.exec(await topicText('environment'))!.groups!['json']!);
	assert.ok(isJsonObject(example));
	const bindings = Object.entries(example['keys'] as JsonObject).map(([action, value]) => ({
		action,
		keys: value === null ? [] : ([value].flat() as string[]),
		line: 1,
	}));
	assert.ok(bindings.length > 2);
	assert.deepEqual(checkKeyOverrides({bindings, wrongLine: undefined}).problems, []);
});

test('the environment has every variable of ours that the program reads', async () => {
	const text = await topicText('environment');
	const names = (await readSourceFiles()).flatMap(file =>
		[...file.text.matchAll(/['[](?<name>(?:SWITCHBOARD|OPENHOME)_[A-Z_]+)['\]]/g)].map(match => match.groups!['name']!),
	);
	assert.ok(names.includes('SWITCHBOARD_CLIPBOARD'));
	assert.deepEqual(
		names.filter(name => !text.includes(`\n  ${name} `)),
		[],
	);
});

test('the JSON shapes have every command that prints JSON', async () => {
	const text = (await topicText('json')).replace('profiles [use|remove]', 'profiles, profiles use, profiles remove');
	const printing = leavesOf(program).filter(([name]) => !['serve', 'ssh-serve', 'mcp', 'completion', 'help'].includes(name!));
	assert.deepEqual(
		printing.filter(
			([name, subcommand]) => !text.includes(subcommand === undefined || subcommand === 'list' ? name! : `${name} ${subcommand}`),
		),
		[],
	);
});

test('the help on SSH names each command that is available there, and no other', async () => {
	const parts = await topics.find(({name}) => name === 'ssh')!.load();
	const meanings = parts
		.flatMap(part => (typeof part === 'object' && 'items' in part ? part.items : []))
		.filter(([term]) => term.startsWith('to '))
		.map(([, meaning]) => meaning);
	const named = meanings.flatMap(meaning => meaning.replaceAll(/ \(.*?\)/g, '').split(', '));
	assert.deepEqual(
		named.toSorted(),
		Object.keys(allowedCommands)
			.filter(name => !name.endsWith(' list'))
			.toSorted(),
	);
});

test('each exit code has its kinds of errors, and each kind its exit code', () => {
	const items = topicTexts['exit-codes']!.flatMap(part => (typeof part === 'object' && 'items' in part ? part.items : []));
	const kinds = items.flatMap(([code, meaning]) => {
		const [, list] = /^\d+ *$/.test(code) && !['0', '10'].includes(code.trim()) ? /\(([-a-z, ]+)\)$/.exec(meaning)! : [];
		return list?.split(', ').map(kind => [kind, Number(code)]) ?? [];
	});
	assert.deepEqual(Object.fromEntries(kinds), exitCodes);
});
