import {assert, process, test, type TestContext} from '../helpers/node.ts';
import {ended, jsonError, notFound} from './outcomes.ts';
import {installedRecord, isWrite, startLiveLike} from './start-live-like.ts';
import {lastError, openPseudoTerminal, programFile} from './kit.ts';

async function start(t: TestContext) {
	const place = await startLiveLike(t, {
		home: {
			installed: [
				installedRecord(1, 'Lamp', true),
				{...installedRecord(2, 'Radio', true), category: 'background_daemon'},
				{...installedRecord(3, 'Desk', false), category: 'Lighting'},
				{...installedRecord(4, 'Porch', true), category: 'brain_skill'},
			],
		},
	});
	return {...place, writes: () => place.service.requests.filter(isWrite).length};
}

test('names and ids come from standard input, one a line', async (t: TestContext) => {
	const {run, asked} = await start(t);
	assert.deepEqual(
		await run(['disable', '-'], {stdin: 'LAMP\r\n\n  2 \nlamp'}),
		ended(0, '1\toff\tLamp\tchanged\n2\toff\tRadio\tchanged\n'),
	);
	assert.deepEqual(await run(['enable', 'desk', '-'], {stdin: '1\n'}), ended(0, '3\ton\tDesk\tchanged\n1\ton\tLamp\tchanged\n'));
	assert.deepEqual(asked(), ['GET', 'PUT 1 off', 'PUT 2 off', 'GET', 'PUT 3 on', 'PUT 1 on']);
});

/** The commands that take names from standard input. */
const takingNames: ReadonlyArray<readonly string[]> = [
	['enable'],
	['disable'],
	['toggle'],
	['install'],
	['uninstall'],
	['abilities', 'delete'],
	['wait', '--for', 'on'],
];

test('without names on standard input nothing is asked, and --json prints an empty array', async (t: TestContext) => {
	const {run, service} = await start(t);
	const note = 'No names were given. Nothing was done.\n';
	for (const command of takingNames) {
		assert.deepEqual(await run([...command, '-'], {stdin: '\n \n'}), ended(0, '', note));
		assert.deepEqual(await run([...command, '-', '--json'], {stdin: ''}), ended(0, '[]\n', note));
	}

	assert.deepEqual(service.requests, []);
});

test('with --require-names no names on standard input are an error, exit 2, and the help names set -o pipefail', async (t: TestContext) => {
	const {run, service} = await start(t);
	const [message, nextStep] = [
		'Standard input has no names. Nothing was done.',
		'Check the command before the pipe, or leave out --require-names.',
	];
	for (const command of takingNames) {
		assert.deepEqual(await run([...command, '-', '--require-names'], {stdin: '\n'}), ended(2, '', `${message}\n${nextStep}\n`));
		assert.match((await run([...command, '--help'], {stdin: ''})).stdout.replaceAll(/\s+/g, ' '), /--require-names .*set -o pipefail/);
	}

	assert.deepEqual(
		await run(['enable', '-', '--require-names', '--json'], {stdin: ''}),
		ended(2, '', jsonError('usage', `${message} ${nextStep}`)),
	);
	assert.match((await run(['help', 'exit-codes'], {stdin: ''})).stdout, /\bset -o pipefail\b[\s\S]*--require-names/);
	assert.deepEqual(service.requests, []);
	assert.equal((await run(['disable', 'desk', '-', '--require-names'], {stdin: ''})).exitCode, 0);
});

test('on a terminal the names are refused too, and no question waits for an answer that cannot come', async (t: TestContext) => {
	const {env, service} = await start(t);
	const typeAt = async (...words: readonly string[]): Promise<readonly string[]> => {
		await using terminal = openPseudoTerminal({command: process.execPath, args: [programFile, ...words], env, columns: 120});
		terminal.write('lamp\r\u{4}');
		assert.equal((await terminal.exited).exitCode, 2);
		return terminal
			.screen()
			.filter(line => line !== '')
			.slice(-2);
	};

	assert.deepEqual(await typeAt('uninstall', '-'), ['This needs a yes, and standard input has the names.', 'Add --yes.']);
	assert.deepEqual(await typeAt('agents', 'edit', 'Hearth', '--no-abilities', '--prompt', '-'), [
		'lamp',
		'The input ended before an answer was given.',
	]);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('standard input with --all, or that is no text, is refused', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(
		await run(['disable', '--all', '-'], {stdin: 'lamp'}),
		ended(2, '', 'Name installed abilities or use --all, not both.\nList them with: switchboard installed\n'),
	);
	assert.deepEqual(
		await run(['disable', '-'], {stdin: 'lamp\0desk\0'}),
		ended(2, '', 'Standard input has names with a NUL character. Nothing was done.\nPut each name on a separate line.\n'),
	);
	assert.equal(lastError(await run(['disable', '-', '--json'], {stdin: 'x'.repeat(2 * 1024 * 1024)})).kind, 'usage');
	assert.deepEqual(service.requests, []);
});

test('--except may be given several times; an option that takes one value may not', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.equal(
		(await run(['disable', '--all', '--except', 'lamp', '--except', 'radio,4', '--dry-run'])).stdout,
		'3\toff\tDesk\tunchanged\n',
	);
	const before = service.requests.length;
	for (const [flag, line] of [
		['--category', 'disable --all --category skill --category brain'],
		['--agent', 'enable --all --agent=Hearth --agent Porch'],
		['--for', 'wait lamp --for on --for off'],
		['--columns', 'installed --columns id --columns name'],
		['--name', 'agents edit Hearth --name Hob --name Hob'],
	] as const) {
		assert.deepEqual(await run(line.split(' ')), ended(2, '', `${flag} is given twice.\nGive it once.\n`));
	}

	assert.equal(service.requests.length, before);
	// An alias may have set it before.
	assert.equal((await run(['installed', '--timeout', '1', '--timeout', '60'])).exitCode, 0);
});

test('--except leaves abilities alone, and each of them must exist', async (t: TestContext) => {
	const {run, asked, writes} = await start(t);
	assert.deepEqual(await run(['disable', '--all', '--except', 'lamp, attic']), notFound('installed ability', 'attic', 'installed'));
	assert.deepEqual(
		await run(['disable', '--all', '--except', ' , ']),
		ended(2, '', 'The list after --except is empty.\nName the installed abilities to leave alone, or leave out --except.\n'),
	);
	assert.equal(writes(), 0);
	assert.deepEqual(await run(['disable', '--all', '--except', 'LAMP,4']), ended(0, '2\toff\tRadio\tchanged\n3\toff\tDesk\tunchanged\n'));
	assert.equal(writes(), 1);
	assert.equal(asked().at(-1), 'PUT 2 off');
});

test('--category takes the words of the tables, of the service, and a category of its own', async (t: TestContext) => {
	const {run} = await start(t);
	const chosen = async (word: string): Promise<string> => (await run(['enable', '--all', '--category', word, '--dry-run'])).stdout;
	assert.equal(await chosen('daemon'), '2\ton\tRadio\tunchanged\n');
	assert.equal(await chosen('Background_Daemon'), '2\ton\tRadio\tunchanged\n');
	assert.equal(await chosen('brain'), '4\ton\tPorch\tunchanged\n');
	assert.equal(await chosen('lighting'), '3\ton\tDesk\tchanged\n');
	assert.deepEqual(await run(['enable', '--all', '--category', 'local']), ended(0, '', 'No installed ability matches.\n'));
	assert.deepEqual(await run(['enable', '--all', '--category', 'local', '--json']), ended(0, '[]\n', 'No installed ability matches.\n'));
	assert.deepEqual(
		await run(['enable', '--all', '--category', 'magic']),
		ended(2, '', 'Invalid value “magic” for --category.\nUse skill, brain, daemon, local or Lighting.\n'),
	);
	assert.deepEqual(
		await run(['enable', '--all', '--category', 'lightning']),
		ended(2, '', 'Invalid value “lightning” for --category.\nDid you mean: Lighting\nUse skill, brain, daemon, local or Lighting.\n'),
	);
	assert.deepEqual(
		await run(['enable', '--all', '--category', '']),
		ended(2, '', 'The value for --category is empty.\nUse skill, brain, daemon, local or Lighting.\n'),
	);
});

test('--agent chooses the abilities that an agent has, which some services tie by name', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.abilities = [
		{id: 21, name: 'Lamp'},
		{id: 22, name: 'Desk'},
		{id: 23, name: 'Attic'},
	];
	service.agents = [
		{id: 1, name: 'Hearth', matching_capabilities: [22, 23]},
		{id: 2, name: 'Porch', matching_capabilities: []},
	];
	assert.deepEqual(await run(['toggle', '--all', '--agent', 'hearth']), ended(0, '3\ton\tDesk\tchanged\n'));
	assert.deepEqual(await run(['toggle', '--all', '--agent', 'Porch', '--json']), ended(0, '[]\n', 'No installed ability matches.\n'));
	assert.deepEqual(await run(['toggle', '--all', '--agent', 'Attic']), notFound('agent', 'Attic', 'agents'));
});

test('--agent is refused where the service does not show what an agent has', async (t: TestContext) => {
	const {run, writes} = await start(t);
	assert.deepEqual(
		await run(['disable', '--all', '--agent', 'hearth']),
		ended(
			2,
			'',
			'The service does not show which abilities Hearth has. Nothing was done.\nName the installed abilities instead of using --agent.\n',
		),
	);
	assert.equal(writes(), 0);
});

test('--except, --category and --agent need --all', async (t: TestContext) => {
	const {run, service} = await start(t);
	for (const words of [
		['--except', 'lamp'],
		['--category', 'skill', 'lamp'],
		['--agent', 'Hearth', '-'],
	]) {
		assert.deepEqual(await run(['disable', ...words]), ended(2, '', '--except, --category and --agent need --all.\nAdd --all.\n'));
	}

	assert.deepEqual(service.requests, []);
});
