import {assert, Buffer, test} from '../helpers/node.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startService} from '../../source/service/service.ts';
import {earlierHome, earlierHomes} from '../helpers/earlier-homes.ts';
import {named, paths, type JsonRecord} from './running-service.ts';

for (const {name, skip, createLocation} of earlierHomes) {
	test(`a home of an earlier version is served with all that it held: ${name}`, {skip}, async () => {
		const location = await createLocation();
		const service = await startService({location});
		const headers = {'x-api-key': earlierHome.key};
		const ask = async (path: string): Promise<Response> => fetch(service.baseAddress + path, {headers});
		const read = async (path: string): Promise<readonly JsonRecord[]> => (await ask(path)).json() as Promise<readonly JsonRecord[]>;
		const hearth = named(await read(paths.agents), 'Hearth');
		assert.deepEqual([hearth['description'], hearth['matching_capabilities']], [earlierHome.hearth.prompt, earlierHome.hearth.abilityIds]);
		const abilities = await read(paths.abilities);
		const versions = abilities.map(ability => [
			ability['name'],
			(ability['capability_versions'] as readonly JsonRecord[]).map(({version}) => Number(version)),
		]);
		assert.deepEqual(Object.fromEntries(versions), earlierHome.abilities);
		const installed = await read(paths.installed);
		assert.deepEqual(Object.fromEntries(installed.map(record => [record['name'], record['enabled']])), earlierHome.installed);
		assert.deepEqual(named(installed, 'pantry')['trigger_words'], ['what is in the pantry']);
		const source = Buffer.from(await (await ask(paths.source(earlierHome.draft.abilityId))).arrayBuffer());
		assert.ok(source.includes(earlierHome.draft.text));
		const pantry = named(installed, 'pantry')['id'];
		const switched = await fetch(service.baseAddress + paths.editInstalled(pantry), {
			method: 'PUT',
			headers: {...headers, 'content-type': 'application/json'},
			body: JSON.stringify({enabled: true}),
		});
		assert.equal(switched.status, 200);
		assert.equal(named(await read(paths.installed), 'pantry')['enabled'], true);
		await service.close();
		const keys = await openApiKeys(location);
		assert.deepEqual(
			(await keys.list()).map(({id, name: keyName, account}) => [id, keyName, account]),
			earlierHome.keys,
		);
		await keys.close();
	});
}
