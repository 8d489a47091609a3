import {after, assert, test, type TestContext} from '../helpers/node.ts';
import {createIsolatedHome, parseJson, runCommand, shareServedHome, startDocumentedService, startOddService} from './kit.ts';

const served = await shareServedHome({after});

type Record_ = Readonly<Record<string, unknown>>;

test('a pipe gets tab-separated lines without titles', async () => {
	const {stdout, stderr, exitCode} = await served.run(['installed']);
	const lines = stdout
		.trimEnd()
		.split('\n')
		.map(line => line.split('\t'));
	assert.deepEqual([exitCode, stderr], [0, '']);
	assert.deepEqual(
		lines.map(fields => fields.length),
		lines.map(() => 6),
	);
	assert.deepEqual(lines.find(fields => fields[2] === 'nightwatch')?.slice(1, 4), ['off', 'nightwatch', 'background_daemon']);
});

test('“agents list” does the same as “agents”', async () => {
	for (const word of ['agents', 'abilities', 'installed', 'profiles']) {
		const [bare, listed] = [await served.run([word]), await served.run([word, 'list'])];
		assert.deepEqual(listed, bare);
		assert.equal(bare.exitCode, 0);
		assert.deepEqual(await served.runJson([word, 'list']), await served.runJson([word]));
	}
});

test("--json prints the records as the service returned them, each with the interface's identifier", async () => {
	const agents = (await served.runJson(['agents'])) as readonly Record_[];
	const abilities = (await served.runJson(['abilities'])) as readonly Record_[];
	const installed = (await served.runJson(['installed'])) as readonly Record_[];
	assert.deepEqual(
		agents.map(agent => Number.isSafeInteger(agent['personality_id'])),
		[true, true, true],
	);
	assert.ok(abilities.length >= 12);
	assert.deepEqual(
		abilities.filter(ability => ability['capability_id'] !== ability['id']),
		[],
	);
	assert.deepEqual(
		installed.filter(record => typeof record['enabled'] !== 'boolean' || record['installed_cap_id'] !== record['id']),
		[],
	);
});

test('an unknown ability is exit 4, with similar names', async () => {
	const {stdout, stderr, exitCode} = await served.run(['abilities', 'get', 'lights']);
	assert.deepEqual([exitCode, stdout], [4, '']);
	assert.equal(stderr, 'There is no ability “lights”.\nDid you mean: morninglights\n');
});

test('entries that are not records are counted, and control characters are removed', async (t: TestContext) => {
	const home = createIsolatedHome();
	const hostile = 'lamp\u{1B}]52;c;QQ==\u{7}\n\u{202E}x\ty';
	const service = await startOddService({
		'/api/capabilities/get-installed-capabilities/': {
			status: 200,
			headers: {'content-type': 'application/json'},
			body: JSON.stringify([{id: 1, name: hostile, enabled: true}, null, 'x']),
		},
	});
	t.after(async () => service.close());
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
	const text = await runCommand(['installed'], {env});
	assert.equal(text.stdout, '1\ton\tlamp x y\t\t\t\n');
	assert.equal(text.stderr, 'Ignored 2 entries of the answer that are not records.\n');
	const json = await runCommand(['installed', '--json'], {env});
	assert.deepEqual(parseJson(json.stdout), [{id: 1, name: hostile, enabled: true, installed_cap_id: 1}]);
	assert.doesNotMatch(json.stdout, /[\u{7}\u{1B}\u{202E}]/u);
});

test('a list whose next page is one that was read is reported as incomplete', async (t: TestContext) => {
	const home = createIsolatedHome();
	const path = '/api/capabilities/get-installed-capabilities/';
	const service = await startOddService({
		[path]: {
			status: 200,
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({results: [{id: 1, name: 'lamp', enabled: true}], next: path}),
		},
	});
	t.after(async () => service.close());
	const {stdout, stderr} = await runCommand(['installed'], {
		env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey},
	});
	assert.equal(stdout, '1\ton\tlamp\t\t\t\n');
	assert.equal(
		stderr,
		'The list is incomplete: its next page has been read before, or is on another host, to which the key is not sent.\n',
	);
});

test('a refused key is exit 3, an unreachable service exit 5', async () => {
	const home = createIsolatedHome();
	const refused = await runCommand(['agents', '--base-url', served.baseAddress], {
		env: {...home.env, SWITCHBOARD_API_KEY: 'sk-not-this-one'},
	});
	assert.deepEqual([refused.exitCode, refused.stdout], [3, '']);
	const gone = await startDocumentedService();
	await gone.close();
	const unreachable = await runCommand(['agents', '--json', '--base-url', gone.baseAddress], {
		env: {...home.env, SWITCHBOARD_API_KEY: gone.apiKey},
	});
	assert.deepEqual([unreachable.exitCode, unreachable.stdout], [5, '']);
	assert.match(unreachable.stderr, /^\{"error":\{"kind":"unreachable","message":"[^\n]*"\}\}\n$/);
});
