import {assert, test, type TestContext} from '../helpers/node.ts';
import {isChange, startWithState} from './state-file.ts';
import {installedRecord, isWrite, jsonError, openTerminal, parseJson} from './kit.ts';

const names = ['Lamp', 'Radio', 'Desk', 'Porch', 'Attic', 'Cellar', 'Stove'];

const createHome = () => ({installed: names.map((name, index) => installedRecord(index + 1, name, true))});

const state =
	'installed: {Lamp: off, Radio: off, Desk: {enabled: off, triggers: [see the desk]}, Porch: off, Attic: off, Cellar: off, Stove: off}\nagents: {Hearth: {prompt: Be brief.}}';

type Reported = {readonly name: string; readonly field: string; readonly done: boolean | null; readonly error?: {readonly kind: string}};

const reported = (stdout: string) =>
	(parseJson(stdout) as {readonly changes: readonly Reported[]}).changes.map(({name, field, done, error}) => [
		name,
		field,
		done,
		error?.kind,
	]);

test('when the time of --timeout is up, apply tells what was not sent', async (t: TestContext) => {
	const {run, service} = await startWithState(t, state, {home: createHome()});
	const release = service.hold({when: isWrite});
	const result = await run(['apply', 'home.yaml', '--yes', '--json', '--timeout', '4']);
	release();
	assert.deepEqual(
		reported(result.stdout).filter(([name]) => name === 'Lamp' || name === 'Hearth'),
		[
			['Lamp', 'enabled', null, 'timeout'],
			['Hearth', 'prompt', false, 'timeout'],
		],
	);
	assert.equal(result.exitCode, 6);
});

/** Standard input is a terminal. */
const openApply = async (t: TestContext, ...words: readonly string[]) => {
	const started = await startWithState(t, 'installed: {lamps: off, pantry: off}');
	const terminal = openTerminal(['apply', 'home.yaml', ...words], {env: started.env, cwd: started.folder, rows: 60});
	return {...started, terminal};
};

const shownLines = (lines: readonly string[]): readonly string[] => lines.filter(line => line !== '');

const plan = ['~ lamps: on → off', '~ pantry: on → off', '2 to change, 0 unchanged.'];

const question = 'Make these 2 changes? [y/N]';

test('on a terminal apply shows the plan, asks, and makes the changes after a yes', async (t: TestContext) => {
	const {terminal, asked} = await openApply(t);
	await using _ = terminal;
	assert.deepEqual(shownLines(await terminal.waitFor('[y/N]')), [...plan, question]);
	terminal.write('y\r');
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(shownLines(terminal.screen()), [
		...plan,
		`${question} y`,
		'done       ~ lamps: on → off',
		'done       ~ pantry: on → off',
		'2 done, 0 unchanged.',
	]);
	assert.deepEqual(asked().toSorted(), [
		'GET get-installed-capabilities',
		'GET get-installed-capabilities',
		'PUT edit-installed-capability/301',
		'PUT edit-installed-capability/302',
	]);
});

/** What stands on the screen from the question on: the value on standard output, and the last line of standard error. */
const answered = (lines: readonly string[]) => {
	const shown = shownLines(lines);
	const start = shown.indexOf('{');
	return {head: shown.slice(0, start), value: parseJson(shown.slice(start, -1).join('')), error: `${shown.at(-1)!}\n`};
};

const notDone = ['lamps', 'pantry'].map(name => ({kind: 'installed', name, field: 'enabled', from: true, to: false, done: false}));

test('apply does nothing if something else has changed while the question waited', async (t: TestContext) => {
	const {terminal, asked, service} = await openApply(t);
	await using _ = terminal;
	await terminal.waitFor('[y/N]');
	(service.installed[1] as {enabled: boolean}).enabled = false;
	terminal.write('y\r');
	assert.equal((await terminal.exited).exitCode, 2);
	assert.deepEqual(shownLines(terminal.screen()).slice(-2), [
		'What has to be changed is no longer what was shown. Nothing was done.',
		'Run the command again to see what it is now.',
	]);
	assert.deepEqual(asked(isChange), []);
});

test('with --json a hang-up at the question prints every change as not sent', async (t: TestContext) => {
	const {terminal, asked} = await openApply(t, '--json');
	await using _ = terminal;
	await terminal.waitFor('[y/N]');
	terminal.kill('SIGHUP');
	assert.equal((await terminal.exited).exitCode, 129);
	const error = {kind: 'interrupted', message: 'Not sent: the command was interrupted first.'};
	assert.deepEqual(answered(terminal.screen()), {
		head: [...plan, question],
		value: {changes: notDone.map(change => ({...change, error})), unchanged: 0},
		error: jsonError('hangup', 'The terminal hung up.'),
	});
	assert.deepEqual(asked(isChange), []);
});

test('where there is nothing to do, apply asks nothing', async (t: TestContext) => {
	const {env, folder} = await startWithState(t, 'installed: {lamps: on}');
	await using terminal = openTerminal(['apply', 'home.yaml'], {env, cwd: folder});
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(shownLines(terminal.screen()), ['Nothing to do: 1 unchanged.']);
});

test('apply cannot ask while standard input is the file', async (t: TestContext) => {
	const {env, folder, service} = await startWithState(t, 'installed: {lamps: on}');
	await using terminal = openTerminal(['apply', '-'], {env, cwd: folder});
	assert.equal((await terminal.exited).exitCode, 2);
	assert.deepEqual(shownLines(terminal.screen()), [
		'Cannot ask for confirmation: standard input is the state file.',
		'Use --yes to apply it without confirmation.',
	]);
	assert.deepEqual(service.requests, []);
});
