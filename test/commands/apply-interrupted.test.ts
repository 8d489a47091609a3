import {assert, test, type TestContext} from '../helpers/node.ts';
import {isChange, startWithState} from './state-file.ts';
import {installedRecord, isWrite, jsonError, openTerminal, parseJson, runOnTerminal} from './kit.ts';

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

/** Runs apply on a terminal. */
async function startOnTerminal(t: TestContext) {
	const {env, folder, ...started} = await startWithState(t, 'installed: {lamps: off, pantry: off}');
	const apply = async (typed: string, meanwhile?: () => void) =>
		runOnTerminal(['apply', 'home.yaml'], {env, cwd: folder, typed, meanwhile});
	return {...started, env, folder, apply};
}

const plan = ['~ lamps: on → off', '~ pantry: on → off', '2 to change, 0 unchanged.'];

const question = 'Make these 2 changes? [y/N]';

test('on a terminal apply shows the plan, asks, and makes the changes after a yes', async (t: TestContext) => {
	const {apply, asked} = await startOnTerminal(t);
	assert.deepEqual(await apply('y\r'), [
		0,
		...plan,
		`${question} y`,
		'done       ~ lamps: on → off',
		'done       ~ pantry: on → off',
		'2 done, 0 unchanged.',
	]);
	assert.deepEqual(asked().toSorted(), [
		// The plan, the same after the question, and whether it was done.
		...Array.from({length: 3}, () => 'GET get-installed-capabilities'),
		'PUT edit-installed-capability/301',
		'PUT edit-installed-capability/302',
	]);
});

test('apply does nothing if something else has changed while the question waited', async (t: TestContext) => {
	const {apply, asked, service} = await startOnTerminal(t);
	const [exitCode, ...lines] = await apply('y\r', () => {
		(service.installed[1] as {enabled: boolean}).enabled = false;
	});
	assert.deepEqual(
		[exitCode, ...lines.slice(-2)],
		[2, 'The changes are no longer the ones that were shown. Nothing was done.', 'Run the command again to see the present changes.'],
	);
	assert.deepEqual(asked(isChange), []);
});

test('with --json a hang-up at the question prints every change as not sent', async (t: TestContext) => {
	const {env, folder, asked} = await startOnTerminal(t);
	await using terminal = openTerminal(['apply', 'home.yaml', '--json'], {env, cwd: folder, rows: 60});
	await terminal.waitFor('[y/N]');
	terminal.kill('SIGHUP');
	assert.equal((await terminal.exited).exitCode, 129);
	const lines = terminal.lines();
	const start = lines.indexOf('{');
	const error = {kind: 'interrupted', message: 'Not sent: the command was interrupted first.'};
	assert.deepEqual(lines.slice(0, start), [...plan, question]);
	assert.deepEqual(parseJson(lines.slice(start, -1).join('')), {
		changes: ['lamps', 'pantry'].map(name => ({kind: 'installed', name, field: 'enabled', from: true, to: false, done: false, error})),
		unchanged: 0,
	});
	assert.equal(`${lines.at(-1)!}\n`, jsonError('hangup', 'The terminal hung up.'));
	assert.deepEqual(asked(isChange), []);
});

test('where there is nothing to do, apply asks nothing', async (t: TestContext) => {
	const {env, folder} = await startWithState(t, 'installed: {lamps: on}');
	assert.deepEqual(await runOnTerminal(['apply', 'home.yaml'], {env, cwd: folder}), [0, 'Nothing to do: 1 unchanged.']);
});

test('apply cannot ask while standard input is the file', async (t: TestContext) => {
	const {env, service} = await startWithState(t, 'installed: {lamps: on}');
	assert.deepEqual(await runOnTerminal(['apply', '-'], {env}), [
		2,
		'This needs a yes, and standard input is the state file.',
		'Add --yes.',
	]);
	assert.deepEqual(service.requests, []);
});
