import {
	after,
	before,
	test,
	type TestContext,
} from 'node:test';
import {startDocumentedService} from '../helpers/documented-service.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService} from '../helpers/live-like-service.ts';
import {startOddService} from '../helpers/odd-service.ts';
import {runCommand} from '../helpers/run-command.ts';
import {parseJson, startServedHome, type ServedHome} from './served-home.ts';

let served: ServedHome;
before(async () => {
	served = await startServedHome();
});
after(async () => {
	await served[Symbol.asyncDispose]();
});

type Record_ = Readonly<Record<string, unknown>>;

test('installed abilities come as tab-separated lines without titles in a pipe', async (t: TestContext) => {
	const {stdout, stderr, exitCode} = await served.run(['installed']);
	const lines = stdout.trimEnd().split('\n').map(line => line.split('\t'));
	t.assert.deepStrictEqual([exitCode, stderr], [0, '']);
	t.assert.deepStrictEqual(lines.map(fields => fields.length), lines.map(() => 6));
	t.assert.deepStrictEqual(lines.find(fields => fields[2] === 'nightwatch')?.slice(1, 4), ['off', 'nightwatch', 'background_daemon']);
});

test('“list” after what lists anyway changes nothing', async (t: TestContext) => {
	for (const word of ['agents', 'abilities', 'installed', 'profiles']) {
		const [bare, listed] = [await served.run([word]), await served.run([word, 'list'])];
		t.assert.deepStrictEqual(listed, bare);
		t.assert.strictEqual(bare.exitCode, 0);
		t.assert.deepStrictEqual(await served.runJson([word, 'list']), await served.runJson([word]));
	}
});

test('--json prints the records as the service returned them, each with the interface\'s identifier', async (t: TestContext) => {
	const agents = await served.runJson(['agents']) as readonly Record_[];
	const abilities = await served.runJson(['abilities']) as readonly Record_[];
	const installed = await served.runJson(['installed']) as readonly Record_[];
	t.assert.deepStrictEqual(agents.map(agent => Number.isSafeInteger(agent['personality_id'])), [true, true, true]);
	t.assert.ok(abilities.length >= 12);
	t.assert.deepStrictEqual(abilities.filter(ability => ability['capability_id'] !== ability['id']), []);
	t.assert.deepStrictEqual(installed.filter(record => typeof record['enabled'] !== 'boolean' || record['installed_cap_id'] !== record['id']), []);
});

test('one ability is shown by its id and by its name in any case', async (t: TestContext) => {
	const [first] = await served.runJson(['abilities']) as readonly Record_[];
	const name = String(first!['name']);
	t.assert.deepStrictEqual(await served.runJson(['abilities', 'get', String(first!['id'])]), first);
	t.assert.deepStrictEqual(await served.runJson(['abilities', 'get', name.toUpperCase()]), first);
	const {stdout} = await served.run(['abilities', 'get', name]);
	t.assert.match(stdout, new RegExp(String.raw`^id\t${String(first!['id'])}\nname\t${name}\ncategory\t`));
});

test('an ability that is not there is exit 4, with those that are near', async (t: TestContext) => {
	const {stdout, stderr, exitCode} = await served.run(['abilities', 'get', 'lights']);
	t.assert.deepStrictEqual([exitCode, stdout], [4, '']);
	t.assert.match(stderr, /There is no ability “lights”\.[^\n]*\nIs one of these meant\? \d+ \(morninglights\)/);
});

test('a service that shows nothing but the documented fields is listed by ids', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const service = await startDocumentedService();
	t.after(async () => service.close());
	const env = {...home.env, SWITCHBOARD_API_KEY: service.apiKey};
	const installed = await runCommand(['installed', '--base-url', service.baseAddress], {env});
	t.assert.strictEqual(installed.stdout, '101\ton\t#101\t\t\t\n102\toff\t#102\t\t\t\n103\ton\t#103\t\t\t\n');
	const agents = await runCommand(['agents', '--json', '--base-url', service.baseAddress], {env});
	t.assert.deepStrictEqual(parseJson(agents.stdout), [{id: 1, personality_id: 1}, {id: 2, personality_id: 2}]);
	const ability = await runCommand(['abilities', 'get', '12', '--json', '--base-url', service.baseAddress], {env});
	t.assert.deepStrictEqual(parseJson(ability.stdout), {capability_id: 12});
});

test('wrapped and paged lists with ids in digits are whole, and ids are integers', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const service = await startLiveLikeService({listShape: 'results', pageSize: 2, idStyle: 'digits'});
	t.after(async () => service.close());
	const {stdout} = await runCommand(['installed', '--json'], {env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey}});
	const records = parseJson(stdout) as readonly Record_[];
	t.assert.strictEqual(records.length, service.installed.length);
	t.assert.deepStrictEqual(records.filter(record => record['installed_cap_id'] !== Number(record['id'])), []);
});

test('entries that are no records are counted on standard error, and hostile texts stay on their line', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const hostile = 'lamp\u{1B}]52;c;QQ==\u{7}\n\u{202E}x\ty';
	const service = await startOddService({
		'/api/capabilities/get-installed-capabilities/': {status: 200, headers: {'content-type': 'application/json'}, body: JSON.stringify([{id: 1, name: hostile, enabled: true}, null, 'x'])},
	});
	t.after(async () => service.close());
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
	const text = await runCommand(['installed'], {env});
	t.assert.strictEqual(text.stdout, '1\ton\tlamp x y\t\t\t\n');
	t.assert.strictEqual(text.stderr, '2 entries of the answer were no records and are left out.\n');
	const json = await runCommand(['installed', '--json'], {env});
	t.assert.deepStrictEqual(parseJson(json.stdout), [{
		id: 1, name: hostile, enabled: true, installed_cap_id: 1,
	}]);
	t.assert.doesNotMatch(json.stdout, /[\u{7}\u{1B}\u{202E}]/u);
});

test('a list that goes on in a circle is said to be cut short, and why', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const path = '/api/capabilities/get-installed-capabilities/';
	const service = await startOddService({
		[path]: {status: 200, headers: {'content-type': 'application/json'}, body: JSON.stringify({results: [{id: 1, name: 'lamp', enabled: true}], next: path})},
	});
	t.after(async () => service.close());
	const {stdout, stderr} = await runCommand(['installed'], {env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey}});
	t.assert.strictEqual(stdout, '1\ton\tlamp\t\t\t\n');
	t.assert.strictEqual(stderr, 'The list is cut short: its pages go on without end, or on another machine, where the key is not sent.\n');
});

test('a refused key is exit 3, a service that is not there exit 5', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const refused = await runCommand(['agents', '--base-url', served.baseAddress], {env: {...home.env, SWITCHBOARD_API_KEY: 'sk-not-this-one'}});
	t.assert.deepStrictEqual([refused.exitCode, refused.stdout], [3, '']);
	const gone = await startDocumentedService();
	await gone.close();
	const unreachable = await runCommand(['agents', '--json', '--base-url', gone.baseAddress], {env: {...home.env, SWITCHBOARD_API_KEY: gone.apiKey}});
	t.assert.deepStrictEqual([unreachable.exitCode, unreachable.stdout], [5, '']);
	t.assert.match(unreachable.stderr, /^\{"error":\{"kind":"unreachable","message":"[^\n]*"\}\}\n$/);
});
