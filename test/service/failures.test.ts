import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {readFile, stat} from 'node:fs/promises';
import {createClient} from '../../source/client/client.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {named, paths, startTestService} from './running-service.ts';

test('an internal error reveals nothing in its answer, and is logged without the key', async () => {
	await using service = await startTestService();
	const intruder = new DatabaseSync(path.join(service.dataFolder, 'switchboard.db'), {timeout: 5000});
	intruder.exec('drop table agent_abilities');
	intruder.close();

	const {status, json} = await service.ask('GET', paths.agents);
	assert.equal(status, 500);
	assert.deepEqual(json, {detail: 'Internal error. The reason is in the log of the service.'});
	assert.equal((await service.ask('GET', paths.installed)).status, 200);

	const file = path.join(service.dataFolder, 'service.log');
	const log = await readFile(file, 'utf8');
	const entry = JSON.parse(log) as {readonly where: string; readonly error: string};
	assert.equal(entry.where, `GET ${paths.agents}`);
	assert.match(entry.error, /no such table/);
	assert.ok(!log.includes(service.key));
	assert.equal(((await stat(file)).mode % 0o1000).toString(8), '600');
});

test('while another program locks the database, a change is answered with 503 and Retry-After', async () => {
	await using service = await startTestService();
	const record = named(await service.read(paths.installed), 'pantry');
	const other = new DatabaseSync(path.join(service.dataFolder, 'switchboard.db'));
	other.exec('begin immediate');
	const refused = await service.ask('PUT', paths.editInstalled(record['id']), {body: {enabled: false}});
	assert.deepEqual(
		[refused.status, refused.headers.get('retry-after'), refused.json],
		[
			503,
			'1',
			{detail: 'The database is in use by another program, so nothing was changed. Try again in a moment.', code: 'nothing-changed'},
		],
	);
	const client = createClient({baseAddress: service.baseAddress, apiKey: service.key});
	const {records} = await client.list('installed');
	const pantry = records.find(({name}) => name === 'pantry')!;
	await assert.rejects(
		client.setEnabled(pantry, false),
		(error: unknown) => error instanceof SwitchboardError && error.status === 503 && !error.isOutcomeUnknown,
	);
	// Reading still works.
	assert.deepEqual(named(await service.read(paths.installed), 'pantry'), record);
	other.exec('rollback');
	other.close();
	assert.equal((await service.ask('PUT', paths.editInstalled(record['id']), {body: {enabled: false}})).status, 200);
});
