import {assert, nextTurn, process, test, type TestContext} from '../../helpers/node.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {startService} from '../../../source/service/service.ts';
import {temporaryDataFolder} from '../../helpers/temporary-folder.ts';
import {createServerFolders, startServers} from './remote-server.ts';
import {createRemoteClient, jsonAnswer, parseJson, startOddService, waitUntil} from '../kit.ts';

test('commands of several people run at once, each with their own profile, rights and output', async (t: TestContext) => {
	const {connect} = await startServers(t, 'default', 'work');
	const stateOf = async (profileName: string) => {
		const {stdout} = await connect({profileName}).runWhole(['installed', '--columns', 'name,state', '--format', 'tsv']);
		return stdout;
	};

	const before = [await stateOf('default'), await stateOf('work')];
	assert.match(before[0]!, /^pantry\ton$/m);
	const rounds = Array.from({length: 3}, (_, index) => index);
	const results = await Promise.all(
		rounds.flatMap(index => [
			connect({profileName: 'work'}).runWhole(['disable', 'pantry']),
			connect({profileName: 'default', isReadOnly: true}).runWhole(['disable', 'pantry', ...(index % 2 === 0 ? ['--json'] : [])]),
			connect({profileName: 'default', terminal: 40 + index}).runWhole(['installed']),
			connect({profileName: 'work'}).runWhole(['status', '--json']),
			connect({profileName: 'gone'}).runWhole(['agents']),
		]),
	);
	for (const index of rounds) {
		const [changed, refused, table, status, gone] = results.slice(index * 5);
		assert.match(changed!.stdout, /^\d+\toff\tpantry\t(?:un)?changed\n$/);
		assert.deepEqual([refused!.exitCode, refused!.stdout], [2, '']);
		assert.match(refused!.stderr, /Your key may only read here/);
		assert.ok(
			table!.stdout
				.replaceAll(/\u{1B}\[\d+m/gu, '')
				.split('\n')
				.every(line => line.length <= 40 + index),
		);
		assert.equal((parseJson(status!.stdout) as {readonly profile: string}).profile, 'work');
		assert.deepEqual([gone!.exitCode, gone!.stdout], [4, '']);
	}

	assert.deepEqual([await stateOf('default'), await stateOf('work')], [before[0], before[1]!.replace('pantry\ton', 'pantry\toff')]);
});

test('a session that ends, or is cut, ends a watch and a wait, and only its own', async (t: TestContext) => {
	const {connect} = await startServers(t, 'default');
	const clients = Array.from({length: 3}, () => connect({stdin: null}));
	const [watching, waiting, other] = clients;
	const ends = [
		watching!.run(['watch']),
		waiting!.run(['wait', 'pantry', '--for', 'off']),
		other!.run(['watch', '--interval', '1', '--json']),
	];
	await waitUntil(() => watching!.stderr().includes('Watching.') && other!.stderr().includes('Watching.'));
	watching!.end('terminated');
	waiting!.cut();
	assert.deepEqual(await Promise.all(ends.slice(0, 2)), [143, 129]);
	assert.equal(await connect().run(['disable', 'pantry']), 0);
	await waitUntil(() => other!.stdout().includes('"name":"pantry"'));
	other!.end('interrupted');
	assert.equal(await ends[2], 0);
});

test('a cut session ends a question and a command that reads its input', async (t: TestContext) => {
	const {connect} = await startServers(t, 'default');
	const asked = connect({terminal: 80, stdin: null});
	const reading = connect({stdin: null});
	const ends = [asked.run(['uninstall', 'pantry']), reading.run(['enable', '-'])];
	await waitUntil(() => asked.stderr().includes('[y/N]'));
	asked.cut();
	// The end of the channel may be seen first.
	reading.session.streams.stdin.destroy();
	assert.deepEqual(await Promise.all(ends), [129, 129]);
	assert.match((await connect().runWhole(['installed'])).stdout, /\tpantry\t/);
});

/** A list that is far larger than what any line holds. */
async function startLongList(t: TestContext) {
	const recordCount = 12_000;
	const description = '日本語の説明'.repeat(30);
	const service = await startOddService({
		'*': jsonAnswer(
			Array.from({length: recordCount}, (_value, index) => ({id: index + 1, name: `lamp${index}`, enabled: true, description})),
		),
	});
	t.after(async () => service.close());
	return {recordCount, folders: await createServerFolders([{name: 'default', baseAddress: service.baseAddress, apiKey: 'k3y-for-tests'}])};
}

for (const words of [
	['installed', '--json'],
	['installed', '--format', 'jsonl'],
]) {
	test(`a slow reader leaves little of a long output in memory, and gets all of it: ${words.join(' ')}`, async (t: TestContext) => {
		const {folders, recordCount} = await startLongList(t);
		const client = createRemoteClient(folders, {isStalled: true});
		const ended = client.run(words);
		await waitUntil(() => client.stdout() !== '');
		// Enough turns for all of it to be written, if nothing waited.
		for (let turn = 0; turn < 1000; turn++) {
			await nextTurn();
		}

		const queued = client.queuedBytes();
		client.goOn();
		assert.equal(await ended, 0);
		assert.ok(client.stdout().includes(`lamp${recordCount - 1}"`));
		assert.ok(queued < Math.min(2_000_000, client.stdout().length / 4), `${queued} bytes waited`);
	});
}

test('a session that ends while nobody reads its output ends the command', async (t: TestContext) => {
	const {folders} = await startLongList(t);
	const client = createRemoteClient(folders, {isStalled: true});
	const ended = client.run(['installed', '--json']);
	await waitUntil(() => client.stdout() !== '');
	client.end('terminated');
	assert.equal(await ended, 143);
});

test('a session that ends after the command, while the last of its output waits, is not waited for', async (t: TestContext) => {
	const {connect} = await startServers(t, 'default');
	const client = connect({isStalled: true});
	const ended = client.run(['installed']);
	await waitUntil(() => client.stdout() !== '');
	client.end('hangup');
	assert.equal(await ended, 129);
	assert.equal(process.exitCode, undefined);
});

type Entry = Readonly<Record<'by' | 'key' | 'via' | 'name' | 'field', unknown>>;

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
	const told = parseJson(await run('hut', 'Bo', ['history', '--json'])) as readonly Entry[];
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

const lines = (count: number, lineOf: (index: number) => string): string =>
	Array.from({length: count}, (_, index) => `${lineOf(index)}\n`).join('');

test('work behind one command is bounded, and refused beyond that', async (t: TestContext) => {
	const {connect} = await startServers(t, 'default');
	for (const [words, stdin, kind, pattern] of [
		[
			['plan', '-'],
			`version: 1\ninstalled:\n${lines(45_000, index => `  wrong${index}: on`)}`,
			2,
			/^standard input:1:1: The file is too large: it may have [\d,]+ words and signs\.\nNothing was done\.\n$/,
		],
		[
			['plan', '-'],
			`version: 1\ninstalled:\n${lines(300, index => `  wrong${index}: on`)}`,
			4,
			/^(?:standard input:\d+:3: There is no ability “wrong\d+”\.\n){20}standard input: and 280 more\nNothing was done\.\n$/,
		],
		[['enable', '-'], lines(20_001, index => `wrong${index}`), 2, /^Standard input has more than 20,000 names\. Nothing was done\.\n/],
		[['enable', ...Array.from({length: 1000}, () => '-')], lines(20_000, index => `wrong${index}`), 4, /^There is no installed ability/],
		[
			['enable', ...Array.from({length: 101}, (_, index) => `pantr?${'*'.repeat(index)}`)],
			'',
			2,
			/^There are more than 100 globs\. Nothing was done\.\n/m,
		],
		[['installed', '--filter', 'a '.repeat(501)], '', 2, /^--filter has more than 1,000 characters\.\n/],
		[['installed', '--search', 'a '.repeat(501)], '', 2, /^--search has more than 1,000 characters\.\n/],
		[['phrases', 'a'.repeat(4001)], '', 2, /^The sentence has more than 4,000 characters\.\n/],
	] as const) {
		const {exitCode, stdout, stderr} = await connect({stdin}).runWhole(words);
		assert.deepEqual([exitCode, stdout], [kind, ''], words.slice(0, 3).join(' '));
		assert.match(stderr, pattern);
	}
});
