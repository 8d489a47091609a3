import {assert, test, type TestContext} from '../helpers/node.ts';
import {type CommandResult, ended, installedRecord, json, jsonError, parseJson, startLiveLike} from './kit.ts';

const start = async (t: TestContext) =>
	startLiveLike(t, {
		home: {
			abilities: [
				{id: 21, name: 'lamps'},
				{id: 44, name: 'lamplighter', is_installed: false},
			],
			installed: [{id: 7, name: 'lamps', enabled: false}],
		},
	});

test('enable of an ability that is not installed says how to install it', async (t: TestContext) => {
	const {run, service} = await start(t);
	const answer = ended(4, '', 'lamplighter is not installed. Nothing was done.\nTo install it, use: switchboard install lamplighter\n');
	assert.deepEqual(await run(['enable', 'Lamplighter']), answer);
	assert.deepEqual(await run(['toggle', 'lamps', '44']), answer);
	assert.deepEqual(
		service.requests.filter(({method}) => method !== 'GET'),
		[],
	);
});

test('enable with the id of an ability names the id of the installed ability', async (t: TestContext) => {
	const {run} = await start(t);
	assert.deepEqual(
		await run(['disable', '21']),
		ended(4, '', '21 is the id of the ability lamps; the id of the installed ability is 7. Nothing was done.\nUse 7, or the name.\n'),
	);
});

test('a name that is nearly right leads to those that may be meant, from the lists that are read anyway', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.installed = ['pantry', 'pantries', 'Pantrx\u{1B}]0;x\u{7}', 'deskPantry'].map((name, index) => ({
		id: index + 1,
		name,
		enabled: true,
	}));
	service.agents = [
		{id: 1, name: 'Night watch'},
		{id: 2, name: 'Hearth'},
	];
	const answer = (what: string, word: string, near: string): CommandResult =>
		ended(4, '', `There is no ${what} “${word}”. Nothing was done.\nDid you mean: ${near}\n`);
	assert.deepEqual(await run(['enable', 'pantri']), answer('installed ability', 'pantri', 'pantry, Pantrx, pantries'));
	assert.equal(service.requests.length, 3);
	assert.deepEqual(await run(['enable', 'lamplihgter']), answer('installed ability', 'lamplihgter', 'lamplighter'));
	assert.deepEqual(await run(['install', 'lamplihgter']), answer('ability', 'lamplihgter', 'lamplighter'));
	assert.deepEqual(await run(['agents', 'edit', 'Herath', '--name', 'Hob']), answer('agent', 'Herath', 'Hearth'));
	assert.deepEqual(await run(['enable', '--all', '--agent', 'nightwatch']), answer('agent', 'nightwatch', 'Night watch'));
	const asJson = await run(['uninstall', 'pantri', '--yes', '--json']);
	assert.deepEqual(
		asJson,
		ended(
			4,
			'',
			jsonError('not-found', 'There is no installed ability “pantri”. Nothing was done. Did you mean: pantry, Pantrx, pantries'),
		),
	);
});

/** One ability that is on, and two whose state the service does not show. */
const startUnknown = async (t: TestContext) =>
	startLiveLike(t, {
		home: {
			installed: [
				installedRecord(100, 'Lamp', true),
				{...installedRecord(101, 'Radio', true), enabled: null},
				{id: 102, name: 'Desk', category: 'skill'},
			],
		},
	});

test('an unknown state is ? in the table and null in JSON', async (t: TestContext) => {
	const {run} = await startUnknown(t);
	const table = await run(['installed']);
	assert.deepEqual(
		table.stdout.split('\n').map(line => line.split('\t').slice(0, 3)),
		[['100', 'on', 'Lamp'], ['101', '?', 'Radio'], ['102', '?', 'Desk'], ['']],
	);
	const records = parseJson((await run(['installed', '--json'])).stdout) as ReadonlyArray<{readonly enabled: unknown}>;
	assert.deepEqual(
		records.map(({enabled}) => enabled),
		[true, null, null],
	);
});

test('toggle refuses an unknown state and names enable and disable', async (t: TestContext) => {
	const {run, asked} = await startUnknown(t);
	const result = await run(['toggle', 'radio', '--json']);
	const message =
		'The service does not show whether Radio is on, so it cannot be toggled. Use: switchboard enable 101, or switchboard disable 101';
	assert.equal(
		result.stdout,
		json([{installed_cap_id: 101, name: 'Radio', enabled: null, changed: false, error: {kind: 'refused', message}}]),
	);
	assert.deepEqual([result.exitCode, result.stderr], [2, jsonError('refused', message)]);
	assert.deepEqual(asked(), ['GET']);
});

test('enable and disable work with an unknown state', async (t: TestContext) => {
	const {run, asked} = await startUnknown(t);
	assert.equal((await run(['disable', 'radio'])).stdout, '101\toff\tRadio\tchanged\n');
	assert.equal((await run(['enable', 'desk'])).stdout, '102\ton\tDesk\tchanged\n');
	assert.deepEqual(asked(), ['GET', 'PUT 101 off', 'GET', 'PUT 102 on']);
});
