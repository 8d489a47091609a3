import {assert, test, type TestContext} from '../../helpers/node.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {startService} from '../../../source/service/service.ts';
import {temporaryDataFolder} from '../../helpers/temporary-folder.ts';
import {createRemoteClient, createServerFolders, parseJson} from '../kit.ts';

type Told = Readonly<Record<'by' | 'key' | 'via' | 'name' | 'field', unknown>>;

test('the history names each who came over SSH, with a key that was made for it, and with another one the key', async (t: TestContext) => {
	const location = temporaryDataFolder();
	const keys = await openApiKeys(location);
	const [hut, plain] = [await keys.create({name: 'hut', isForSsh: true}), await keys.create({name: 'plain'})];
	await keys.close();
	const service = await startService({location, isSampleWanted: true});
	t.after(async () => service.close());
	const {baseAddress} = service;
	const folders = await createServerFolders([
		{name: 'hut', baseAddress, apiKey: hut.key},
		{name: 'plain', baseAddress, apiKey: plain.key},
	]);
	const run = async (profileName: string, name: string, words: readonly string[]): Promise<string> => {
		const {exitCode, stdout, stderr} = await createRemoteClient(folders, {profileName, person: {name, address: '192.0.2.7'}}).runWhole(
			words,
		);
		assert.equal(exitCode, 0, stderr);
		return stdout;
	};

	await Promise.all([run('hut', 'anna@laptop', ['toggle', 'pantry']), run('hut', 'Bo', ['toggle', 'nightwatch'])]);
	await run('plain', 'Cy', ['toggle', 'morninglights']);
	const told = parseJson(await run('hut', 'Bo', ['history', '--json'])) as readonly Told[];
	const rows = told.filter(({field}) => field === 'enabled').map(({by, key, via, name}) => [name, by, key, via]);
	assert.deepEqual(
		rows.toSorted(([first], [second]) => String(first).localeCompare(String(second))),
		[
			['morninglights', 'plain', 'plain', '127.0.0.1'],
			['nightwatch', 'Bo', 'hut', 'ssh-serve 192.0.2.7'],
			['pantry', 'anna@laptop', 'hut', 'ssh-serve 192.0.2.7'],
		],
	);
});
