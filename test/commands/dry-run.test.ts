import assert from 'node:assert/strict';
import process from 'node:process';
import {test, type TestContext} from 'node:test';
import {startDocumentedService} from '../helpers/documented-service.ts';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';
import {
	createRun,
	ended,
	json,
	writeCellar,
} from './outcomes.ts';
import {lastError} from './served-home.ts';
import {startLiveLike} from './start-live-like.ts';

const note = 'Nothing was changed: this was a dry run.\n';

test('a dry run only reads, needs no --yes, and works with --read-only', async (t: TestContext) => {
	const {run, service, home} = await startLiveLike(t);
	writeCellar(home.folder);
	const dry = async (line: string) => run([...line.split(' '), '--dry-run', '--read-only']);
	assert.deepEqual(await dry('toggle lamps nightwatch'), ended(0, '301\toff\tlamps\tchanged\n303\ton\tnightwatch\tchanged\n', note));
	assert.deepEqual(await dry('disable --all'), ended(0, '301\toff\tlamps\tchanged\n302\toff\tpantry\tchanged\n303\toff\tnightwatch\tunchanged\n', note));
	assert.deepEqual(await dry('abilities delete lamps desk --json'), ended(0, json([
		{capability_id: 21, name: 'lamps', deleted: true},
		{capability_id: 24, name: 'desk', deleted: true},
	]), note));
	// The service does not show the abilities of an agent: a change would ask.
	assert.deepEqual(await dry('agents edit hearth --name Hob --abilities desk,lamps'), ended(0, '1\tHob\t24,21\tYou look after a house.\n', note));
	assert.deepEqual(await dry('abilities upload cellar --agent Porch'), ended(0, '\tcellar\t\n', note));
	assert.deepEqual(await dry('installed edit lamps --no-triggers'), ended(0, '301\tlamps\t\tchanged\n', note));
	assert.deepEqual(service.requests.filter(({method, path}) => method !== 'GET' || path.includes('install-capability')), []);
});

test('a dry run works with a service that has the documented paths alone', async (t: TestContext) => {
	const service = await startDocumentedService();
	t.after(async () => service.close());
	const {run, folder} = await createRun(service);
	writeCellar(folder);
	const dry = async (line: string) => run([...line.split(' '), '--dry-run']);
	assert.deepEqual(await dry('toggle 101 102'), ended(0, '101\toff\t#101\tchanged\n102\ton\t#102\tchanged\n', note));
	assert.deepEqual(await dry('abilities delete 11'), ended(0, '11\t#11\tdeleted\n', note));
	assert.deepEqual(await dry('uninstall 101'), ended(0, '101\t#101\tuninstalled\n', note));
	assert.deepEqual(await dry('install 11'), ended(0, '11\t#11\tinstalled\n', note));
	assert.deepEqual(await dry('agents edit 1 --name Hob --json'), ended(0, json({id: 1, name: 'Hob', personality_id: 1}), note));
	assert.deepEqual(await dry('abilities upload cellar --json'), ended(0, json({capability_id: null, name: 'cellar', detail: ''}), note));
	assert.deepEqual(service.requests.filter(({method}) => method !== 'GET'), []);
});

test('a dry run of toggle fails for the states that toggle would fail for', async (t: TestContext) => {
	const {run} = await startLiveLike(t, {home: {installed: [{id: 1, name: 'Lamp'}, {id: 2, name: 'Radio', enabled: true}]}});
	const result = await run(['toggle', '--all', '--dry-run', '--json']);
	assert.deepEqual([result.exitCode, lastError(result).kind], [6, 'some-failed']);
	const items = JSON.parse(result.stdout) as ReadonlyArray<{readonly enabled: unknown; readonly changed: unknown}>;
	assert.deepEqual(items.map(({enabled, changed}) => [enabled, changed]), [[null, false], [false, true]]);
});

test('a dry run needs a key and a service that answers', async (t: TestContext) => {
	const {run, service, home} = await startLiveLike(t);
	writeCellar(home.folder);
	service.failNext({status: 500, times: 3, when: ({method}) => method === 'GET'});
	assert.equal((await run(['disable', 'lamps', '--dry-run'])).exitCode, 5);
	service.failNext({status: 401});
	assert.equal(lastError(await run(['install', 'desk', '--dry-run', '--json'])).kind, 'key-refused');
});

test('on a terminal a dry run says what would be', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t);
	const shown = async (...words: readonly string[]): Promise<readonly string[]> => {
		await using terminal = openPseudoTerminal({command: process.execPath, args: [programFile, ...words, '--dry-run'], env});
		assert.equal((await terminal.exited).exitCode, 0);
		return terminal.screen().filter(line => line !== '');
	};

	const last = note.trimEnd();
	assert.deepEqual(await shown('disable', 'lamps', 'nightwatch'), ['lamps would be off.', 'nightwatch is already off.', last]);
	assert.deepEqual(await shown('install', 'desk', 'lamps'), ['Would install desk.', 'lamps is already installed.', last]);
	assert.deepEqual(await shown('uninstall', 'lamps'), ['Would uninstall lamps.', last]);
	assert.deepEqual(await shown('abilities', 'delete', 'lamps'), ['Would delete lamps.', last]);
	assert.deepEqual(await shown('installed', 'edit', 'lamps', '--no-triggers'), ['Would change lamps.', last]);
	assert.deepEqual(service.requests.filter(({method}) => method !== 'GET'), []);
});
