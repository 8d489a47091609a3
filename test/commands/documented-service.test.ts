import {assert, test, type TestContext} from '../helpers/node.ts';
import {formTexts, readForm} from '../helpers/request-bodies.ts';
import {ended, json, jsonError, notFound, startDocumented, writeCellar} from './kit.ts';

/*
Every command against a service that has the documented fields and paths and nothing else.
*/

test('lists hold ids alone, and records are printed as they came', async (t: TestContext) => {
	const {run} = await startDocumented(t);
	assert.deepEqual(await run(['agents']), ended(0, '1\t#1\t\t\n2\t#2\t\t\n'));
	assert.deepEqual(await run(['abilities']), ended(0, '11\t#11\t\t\t\t\n12\t#12\t\t\t\t\n13\t#13\t\t\t\t\n'));
	assert.deepEqual(await run(['abilities', '--json']), ended(0, json([{capability_id: 11}, {capability_id: 12}, {capability_id: 13}])));
	assert.deepEqual(
		await run(['installed', '--json']),
		ended(
			0,
			json([
				{installed_cap_id: 101, enabled: true},
				{installed_cap_id: 102, enabled: false},
				{installed_cap_id: 103, enabled: true},
			]),
		),
	);
});

test('an empty list prints nothing, an empty array as JSON, and a word on standard error', async (t: TestContext) => {
	const {run} = await startDocumented(t, {agents: [], abilities: [], installed: []});
	assert.deepEqual(await run(['agents']), ended(0, '', 'There are no agents.\n'));
	assert.deepEqual(await run(['abilities']), ended(0, '', 'There are no abilities.\n'));
	assert.deepEqual(await run(['installed']), ended(0, '', 'Nothing is installed.\n'));
	assert.deepEqual(await run(['installed', '--json']), ended(0, '[]\n'));
	assert.deepEqual(await run(['enable', '--all']), ended(0, '', 'Nothing is installed.\n'));
	assert.deepEqual(await run(['enable', '--all', '--json']), ended(0, '[]\n', 'Nothing is installed.\n'));
});

test('one ability is got by its id, and one that is not there is exit 4', async (t: TestContext) => {
	const {run} = await startDocumented(t);
	assert.deepEqual(await run(['abilities', 'get', '12']), ended(0, 'id\t12\nname\t#12\n'));
	assert.deepEqual(await run(['abilities', 'get', '12', '--json']), ended(0, json({capability_id: 12})));
	assert.deepEqual(
		await run(['abilities', 'get', '14']),
		ended(4, '', 'There is no ability “14”.\nList them with: switchboard abilities\n'),
	);
	assert.deepEqual(
		await run(['abilities', 'get', 'lamps', '--json']),
		ended(4, '', jsonError('not-found', 'There is no ability “lamps”. List them with: switchboard abilities')),
	);
});

for (const changeAnswer of ['empty-204', 'record'] as const) {
	test(`enable and disable work where a change is answered with ${changeAnswer}`, async (t: TestContext) => {
		const {run, service} = await startDocumented(t, {changeAnswer});
		assert.deepEqual(await run(['enable', '102']), ended(0, '102\ton\t#102\tchanged\n'));
		assert.deepEqual(
			await run(['enable', '102', '--json']),
			ended(0, json([{installed_cap_id: 102, name: '#102', enabled: true, changed: false}])),
		);
		assert.deepEqual(await run(['toggle', '101', '103']), ended(0, '101\toff\t#101\tchanged\n103\toff\t#103\tchanged\n'));
		assert.deepEqual(
			await run(['disable', '--all']),
			ended(0, '101\toff\t#101\tunchanged\n102\toff\t#102\tchanged\n103\toff\t#103\tunchanged\n'),
		);
		assert.deepEqual(
			service.installed.map(({enabled}) => enabled),
			[false, false, false],
		);
	});

	test(`agents edit works where a change is answered with ${changeAnswer}`, async (t: TestContext) => {
		const {run, service} = await startDocumented(t, {changeAnswer});
		assert.deepEqual(await run(['agents', 'edit', '1', '--name', 'Hob']), ended(0, '1\tHob\t\t\n'));
		assert.deepEqual(
			await run(['agents', 'edit', '2', '--prompt', '-', '--json'], {stdin: 'Be brief.\n'}),
			ended(0, json({id: 2, description: 'Be brief.\n', personality_id: 2})),
		);
		const sent = await Promise.all(service.agentEdits.map(async request => formTexts((await readForm(request))!)));
		assert.deepEqual(
			sent.map(fields => ({...fields})),
			[
				{personality_id: ['1'], name: ['Hob']},
				{personality_id: ['2'], description: ['Be brief.\n']},
			],
		);
	});

	test(`abilities delete works where a change is answered with ${changeAnswer}`, async (t: TestContext) => {
		const {run, service} = await startDocumented(t, {changeAnswer});
		assert.deepEqual(await run(['abilities', 'delete', '11', '99', '--yes']), notFound('ability', '99', 'abilities'));
		assert.equal(service.abilities.length, 3);
		const unkept = (id: number): string => `#${id} cannot be brought back: The service does not send the source of #${id} (HTTP 404).\n`;
		assert.deepEqual(await run(['abilities', 'delete', '11', '13', '--yes']), {
			...ended(0, '11\t#11\tdeleted\n13\t#13\tdeleted\n'),
			stderr: unkept(11) + unkept(13),
		});
		assert.deepEqual(await run(['abilities', 'delete', '12', '--yes', '--json']), {
			...ended(0, json([{capability_id: 12, name: '#12', deleted: true}])),
			stderr: unkept(12),
		});
		assert.deepEqual(service.abilities, []);
	});
}

test('upload prints the id if the service returns one', async (t: TestContext) => {
	const telling = await startDocumented(t, {changeAnswer: 'record'});
	writeCellar(telling.folder);
	assert.deepEqual(await telling.run(['abilities', 'upload', 'cellar']), ended(0, '14\tcellar\t\n'));
	assert.deepEqual(
		await telling.run(['abilities', 'upload', 'cellar', '--json', '--agent', '2']),
		ended(0, json({capability_id: 15, name: 'cellar', detail: ''}), '“cellar” belongs to #14 (14).\n'),
	);
	const silent = await startDocumented(t);
	writeCellar(silent.folder);
	assert.deepEqual(await silent.run(['abilities', 'upload', 'cellar']), ended(0, '\tcellar\t\n'));
	assert.equal(silent.service.abilities.length, 4);
});

test('--read-only makes no request', async (t: TestContext) => {
	const {run, folder, service} = await startDocumented(t);
	writeCellar(folder);
	const writes = [
		'enable 102',
		'disable --all',
		'toggle 101',
		'agents edit 1 --name Hob',
		'abilities upload cellar',
		'abilities delete 11 --yes',
		'install 11',
		'uninstall 101 --yes',
		'installed edit 101 --no-triggers',
		'apply home.yaml --yes',
		'presets apply day --yes',
	];
	for (const line of writes) {
		const result = await run([...line.split(' '), '--read-only']);
		assert.deepEqual(result, ended(2, '', 'This command makes changes, which --read-only forbids.\nRun it without --read-only.\n'));
	}

	assert.deepEqual(service.requests, []);
});
