import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {isDatabaseUrl} from '../../source/platform/secret-variables.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {named, paths, startTestService} from './running-service.ts';
import {fieldsOf, followChanges, lampFiles, sharedPostgres, testedDatabases, uploadForm, zipOf} from './kit.ts';

/** As a newer program would, while this one runs. */
const raiseVersion = async (location: string): Promise<void> => {
	if (isDatabaseUrl(location)) {
		await (await sharedPostgres()).administer('insert into switchboard.migrations (number) values (1000)', location);
		return;
	}

	using database = new DatabaseSync(path.join(location, 'switchboard.db'), {timeout: 5000});
	database.exec('pragma user_version = 1000');
};

for (const {name, skip, createLocation} of testedDatabases) {
	test(`once a newer program has changed the schema, nothing is written, streams end and /readyz says so, and reading goes on: ${name}`, {
		skip,
	}, async () => {
		const location = await createLocation();
		const told: string[] = [];
		await using service = await startTestService({
			location,
			...(!isDatabaseUrl(location) && {dataFolder: location}),
			report(text) {
				told.push(text);
			},
		});
		assert.equal((await service.ask('GET', '/readyz')).status, 200);
		const pantry = named(await service.read(paths.installed), 'pantry');
		const [agent] = await service.read(paths.agents);
		const before = await Promise.all([paths.agents, paths.abilities, paths.installed].map(async route => service.read(route)));
		await using stream = await followChanges(service.baseAddress, service.key);
		await stream.waitForChanges(3);
		await raiseVersion(location);
		await stream.ended;

		const refused = {
			status: 503,
			json: {detail: 'Nothing was changed. Its operator has to restart: the database is of a newer version.', code: 'nothing-changed'},
		};
		const large = {...lampFiles, 'lamps/sound.raw': '#'.repeat(3_000_000)};
		const answers = await Promise.all([
			service.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: pantry['enabled'] !== true}}),
			service.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], description: 'Be brief.'}}),
			service.ask('POST', paths.upload, {body: await uploadForm()}),
			service.ask('POST', paths.upload, {body: await uploadForm({name: 'sounds', zip_file: await zipOf(large)})}),
			service.ask('DELETE', paths.uninstall(pantry['id'])),
			service.ask('POST', paths.deleteAbility(pantry['capability_id'])),
			service.ask('GET', '/events'),
		]);
		for (const {status, json} of answers) {
			assert.deepEqual({status, json}, refused);
		}

		assert.deepEqual(await Promise.all([paths.agents, paths.abilities, paths.installed].map(async route => service.read(route))), before);
		assert.equal((await service.ask('GET', '/readyz')).status, 503);
		assert.equal((await service.ask('GET', '/healthz')).status, 200);
		assert.equal(told.length, 1, told.join('\n'));
		assert.match(told[0]!, /is of a newer version by now: it has version 1000, .* Restart it with the newer Switchboard\.$/);
	});

	test(`keys are neither made nor revoked once the schema is newer: ${name}`, {skip}, async () => {
		const location = await createLocation();
		const store = await openStore(location);
		await store.accounts.addKey('default', new Uint8Array(32), () => 'first');
		await raiseVersion(location);
		for (const write of [
			async () => store.accounts.addKey('default', new Uint8Array(32).fill(1), () => 'second'),
			async () => store.accounts.ensure('guests'),
			async () => store.accounts.removeKeys(keys => keys),
			async () => store.checkVersion(),
			async () => store.ready(),
		]) {
			await assert.rejects(write, {kind: 'server-error', trouble: 'newer'});
		}

		assert.deepEqual(fieldsOf(await store.accounts.listKeys(), 'name'), ['first']);
		await store.close();
	});
}
