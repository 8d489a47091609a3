import {assert, Buffer, test, type TestContext} from '../helpers/node.ts';
import {cellarFiles, createRun, ended, json, notFound, writeCellar} from './outcomes.ts';
import {startLiveLikeService} from './kit.ts';

/*
Every command against a service that strays as far from the documented one as one was seen to: a PUT that replaces,
other paths, multipart only, HTML for a wrong path, lists that are wrapped and paged, ids in digits.
*/

async function start(t: TestContext) {
	const service = await startLiveLikeService({
		listShape: 'results',
		pageSize: 2,
		idStyle: 'digits',
		agentEditFormat: 'multipart',
		deletion: 'batch',
		errorStyle: 'error',
	});
	t.after(async () => service.close());
	return {service, ...(await createRun(service))};
}

const changed = '2026-03-04T05:06:07.000Z';

test('lists are complete, as lines and as JSON', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['agents']), ended(0, '1\tHearth\t\tYou look after a house.\n2\tPorch\t\tYou greet guests.\n'));
	assert.deepEqual(
		await run(['abilities']),
		ended(
			0,
			[
				`21\tlamps\tskill\tyes\tlamps please, it is dark\t${changed}\n`,
				`22\tpantry\tbrain_skill\tyes\t\t${changed}\n`,
				`23\tnightwatch\tbackground_daemon\tyes\t\t${changed}\n`,
				`24\tdesk\tlocal\tno\topen the desk\t${changed}\n`,
			].join(''),
		),
	);
	assert.deepEqual(
		await run(['installed']),
		ended(
			0,
			[
				`301\ton\tlamps\tskill\tlamps please, it is dark\t${changed}\n`,
				`302\ton\tpantry\tbrain_skill\t\t${changed}\n`,
				`303\toff\tnightwatch\tbackground_daemon\t\t${changed}\n`,
			].join(''),
		),
	);
	const {stdout, stderr, exitCode} = await run(['abilities', '--json']);
	assert.deepEqual(
		[JSON.parse(stdout), stderr, exitCode],
		[
			service.abilities.map(ability => ({
				...(ability as object),
				id: String((ability as {id: number}).id),
				capability_id: (ability as {id: number}).id,
			})),
			'',
			0,
		],
	);
});

test('agents edit keeps what is not given, abilities included', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['agents', 'edit', 'hearth', '--name', 'Hob']), ended(0, '1\tHob\t\tYou look after a house.\n'));
	assert.deepEqual(
		await run(['agents', 'edit', '1', '--prompt-file', '-', '--json'], 'You look after\na kitchen.\n'),
		ended(
			0,
			json({id: '1', name: 'Hob', description: 'You look after\na kitchen.\n', image: null, personality_id: 1}),
			'The earlier prompt is kept. To bring it back: switchboard agents restore Hob\n',
		),
	);
	assert.deepEqual(service.ties.get(1), [21, 22]);
	assert.deepEqual(await run(['agents', 'edit', 'Hob', '--abilities', 'desk,21', '--yes']), ended(0, '1\tHob\t24,21\tYou look after\n'));
	assert.deepEqual(service.ties.get(1)?.toSorted(), [21, 24]);
	assert.deepEqual(await run(['agents', 'edit', 'Attic', '--name', 'Loft']), notFound('agent', 'Attic', 'agents'));
});

test("an ability is uploaded byte for byte, and refusals are shown in the service's words", async (t: TestContext) => {
	const {run, folder, service} = await start(t);
	writeCellar(folder);
	assert.deepEqual(await run(['abilities', 'upload', 'cellar', '--agent', 'Porch']), ended(0, '25\tcellar\tCapability uploaded\n'));
	assert.deepEqual(Object.fromEntries(service.sources.get(25)!.map(({path, bytes}) => [path, Buffer.from(bytes).toString()])), cellarFiles);
	assert.deepEqual(service.ties.get(2), [25]);
	assert.match((await run(['installed'])).stdout, /^304\ton\tcellar\tskill\twhat is in the cellar\t/m);
	service.failNext({
		status: 400,
		headers: {'content-type': 'application/json'},
		body: '{"error": {"code": "name", "message": "name: is taken"}}',
		when: ({method}) => method === 'POST',
	});
	const refused = await run(['abilities', 'upload', 'cellar', '--json']);
	assert.deepEqual([refused.exitCode, refused.stdout], [2, '']);
	assert.match(refused.stderr, /^\{"error":\{"kind":"refused","message":"[^\n]*name: is taken[^\n]*"\}\}\n$/);
});
