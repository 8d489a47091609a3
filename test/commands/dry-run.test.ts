import {assert, test, type TestContext} from '../helpers/node.ts';
import {ended, isWrite, json, runOnTerminal, startLiveLike, writeCellar} from './kit.ts';

const note = 'Nothing was changed: this was a dry run.\n';

test('a dry run only reads, needs no --yes, and works with --read-only', async (t: TestContext) => {
	const {run, service, home} = await startLiveLike(t);
	writeCellar(home.folder);
	const dry = async (line: string) => run([...line.split(' '), '--dry-run', '--read-only']);
	assert.deepEqual(await dry('toggle lamps nightwatch'), ended(0, '301\toff\tlamps\tchanged\n303\ton\tnightwatch\tchanged\n', note));
	assert.deepEqual(
		await dry('disable --all'),
		ended(0, '301\toff\tlamps\tchanged\n302\toff\tpantry\tchanged\n303\toff\tnightwatch\tunchanged\n', note),
	);
	assert.deepEqual(
		await dry('abilities delete lamps desk --json'),
		ended(
			0,
			json([
				{capability_id: 21, name: 'lamps', deleted: true},
				{capability_id: 24, name: 'desk', deleted: true},
			]),
			note,
		),
	);
	// The service does not show the abilities of an agent: a change would ask.
	assert.deepEqual(
		await dry('agents edit hearth --name Hob --abilities desk,lamps'),
		ended(0, '1\tHob\t24,21\tYou look after a house.\n', note),
	);
	const findings = 'cellar: warning: README.md is missing.\ncellar/main.py: warning: No class extends MatchingCapability.\n';
	assert.deepEqual(await dry('abilities upload cellar --agent Porch'), ended(0, '\tcellar\t\n', `${findings}${note}`));
	assert.deepEqual(await dry('installed edit lamps --no-triggers'), ended(0, '301\tlamps\t\tchanged\n', note));
	assert.deepEqual(
		service.requests.filter(({method, path}) => method !== 'GET' || path.includes('install-capability')),
		[],
	);
});

test('a dry run of toggle fails for the states that toggle would fail for, and says that nothing was changed', async (t: TestContext) => {
	const {run} = await startLiveLike(t, {
		home: {
			installed: [
				{id: 1, name: 'Lamp'},
				{id: 2, name: 'Radio', enabled: true},
			],
		},
	});
	const result = await run(['toggle', '--all', '--dry-run']);
	assert.deepEqual([result.exitCode, result.stdout], [6, '1\t?\tLamp\tfailed\n2\toff\tRadio\tchanged\n']);
	assert.ok(result.stderr.includes(note), result.stderr);
});

test('on a terminal a dry run says what would be', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t);
	const shown = async (...words: readonly string[]) => runOnTerminal([...words, '--dry-run'], {env});
	const last = note.trimEnd();
	assert.deepEqual(await shown('disable', 'lamps', 'nightwatch'), [0, 'lamps would be off.', 'nightwatch is already off.', last]);
	assert.deepEqual(await shown('install', 'desk', 'lamps'), [0, 'Would install desk.', 'lamps is already installed.', last]);
	assert.deepEqual(await shown('uninstall', 'lamps'), [0, 'Would uninstall lamps.', last]);
	assert.deepEqual(await shown('abilities', 'delete', 'lamps'), [0, 'Would delete lamps.', last]);
	assert.deepEqual(await shown('installed', 'edit', 'lamps', '--no-triggers'), [0, 'Would change lamps.', last]);
	assert.deepEqual(service.requests.filter(isWrite), []);
});
