import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {ended, parseJson, readFolderTexts, startLiveLike} from './kit.ts';

const manifest = '.switchboard-export.json';

async function start(t: TestContext) {
	const live = await startLiveLike(t);
	const {folder} = live.home;
	return {
		...live,
		folder,
		into: async (...options: readonly string[]) => live.run(['export', '--into', 'home', ...options]),
		inHome: (name: string): string => path.join(folder, 'home', name),
		texts: () => readFolderTexts(path.join(folder, 'home')),
	};
}

type Tie = {readonly capability_id: string; readonly base_address: string};

const names = (texts: Readonly<Record<string, string>>): readonly string[] => Object.keys(texts).toSorted();

test('a folder has the state, a file for each prompt and a folder for each source, and a plan of it has nothing to do', async (t: TestContext) => {
	const {into, run, texts, inHome} = await start(t);
	const {exitCode, stdout} = await into('--sources');
	assert.equal(exitCode, 0);
	assert.match(stdout, /^home\.yaml\tadded$/m);
	const written = texts();
	assert.ok(written['home.yaml']!.includes('prompt_file: ./agents/Hearth.md'), written['home.yaml']);
	assert.ok(written['home.yaml']!.includes('source: ./abilities/pantry'), written['home.yaml']);
	assert.match(written['home.yaml']!, /^# yaml-language-server: \$schema=\.\/state\.schema\.json\nversion: 1\n/);
	assert.equal(written['state.schema.json'], (await run(['help', 'state', '--schema'])).stdout);
	assert.deepEqual(
		names(written).filter(name => name.startsWith('abilities/pantry/')),
		['abilities/pantry/__init__.py', 'abilities/pantry/main.py'],
	);
	assert.match((await run(['plan', inHome('home.yaml'), '--exit-code'])).stdout, /^Nothing to do: \d+ unchanged\.\n$/);
	assert.equal((await run(['state', 'check', inHome('home.yaml')])).exitCode, 0);
	const again = await into('--sources');
	assert.doesNotMatch(again.stdout, /\t(?:added|changed|removed)$/m);
	assert.deepEqual(texts(), written);
});

test('a folder of a source says which ability it is, and goes with the last of its files', async (t: TestContext) => {
	const {into, run, inHome, service} = await start(t);
	assert.equal((await into('--sources', '--dry-run')).exitCode, 0);
	assert.equal(existsSync(inHome('')), false);
	await into('--sources');
	const {capability_id: id, base_address: address} = parseJson(readFileSync(inHome('abilities/pantry/.openhome.json'), 'utf8')) as Tie;
	assert.deepEqual([id, address], ['22', service.baseAddress]);
	assert.ok(!readFileSync(inHome(manifest), 'utf8').includes('.openhome.json'));
	// A push writes to it, and the next export has nothing against that.
	writeFileSync(inHome('abilities/pantry/main.py'), 'new');
	assert.equal((await run(['abilities', 'push', inHome('abilities/pantry')])).exitCode, 0);
	assert.equal((await into('--sources')).exitCode, 0);
	service.abilities = service.abilities.filter(record => (record as {readonly id: number}).id !== 22);
	assert.equal((await into('--sources')).exitCode, 0);
	assert.deepEqual([existsSync(inHome('abilities/pantry')), existsSync(inHome('abilities/lamps/.openhome.json'))], [false, true]);
});

test('without --sources there is no folder of an ability, and those of an earlier export stay', async (t: TestContext) => {
	const {into, texts} = await start(t);
	assert.equal((await into()).exitCode, 0);
	assert.deepEqual(
		names(texts()).filter(name => name.startsWith('abilities/')),
		[],
	);
	await into('--sources');
	const sources = names(texts()).filter(name => name.startsWith('abilities/'));
	assert.notDeepEqual(sources, []);
	assert.equal((await into()).exitCode, 0);
	assert.deepEqual(
		names(texts()).filter(name => name.startsWith('abilities/')),
		sources,
	);
	// They are still known: the next export with sources has no conflict.
	assert.equal((await into('--sources')).exitCode, 0);
});

test('a file that was changed since, or that is somebody else’s, stays unless --force is given', async (t: TestContext) => {
	const {into, inHome, texts, service} = await start(t);
	await into();
	writeFileSync(inHome('agents/Hearth.md'), 'Mine.');
	Object.assign(service.agents[0]!, {description: 'Be brief.'});
	const before = texts();
	const refused = await into();
	assert.deepEqual([refused.exitCode, refused.stdout], [2, '']);
	assert.match(refused.stderr, /Hearth\.md.*--force/s);
	assert.deepEqual(texts(), before);
	assert.equal((await into('--force')).exitCode, 0);
	assert.equal(texts()['agents/Hearth.md'], 'Be brief.');
	rmSync(inHome(manifest));
	Object.assign(service.agents[0]!, {description: 'Be kind.'});
	assert.equal((await into()).exitCode, 2);
	assert.equal(texts()['agents/Hearth.md'], 'Be brief.');
});

test('a file of an earlier export that is no longer needed goes if nobody changed it, and nothing else does', async (t: TestContext) => {
	const {into, inHome, texts, service} = await start(t);
	await into();
	writeFileSync(inHome('agents/notes.md'), 'Mine.');
	service.agents.shift();
	assert.match((await into('--dry-run')).stdout, /^agents\/Hearth\.md\tremoved$/m);
	assert.ok(existsSync(inHome('agents/Hearth.md')), 'a dry run removes nothing');
	const {stdout, exitCode} = await into();
	assert.equal(exitCode, 0);
	assert.match(stdout, /^agents\/Hearth\.md\tremoved$/m);
	assert.deepEqual([existsSync(inHome('agents/Hearth.md')), texts()['agents/notes.md']], [false, 'Mine.']);
});

test('names that are paths, the same in another case or of devices become files of the folder', async (t: TestContext) => {
	const {into, texts, run, inHome, service, folder} = await start(t);
	const agents = ['../../outside', 'Hearth', 'A:b', 'con', '..', '\u{1B}[31m', 'a/b'].map((name, index) => ({
		...service.agents[0]!,
		id: index + 1,
		name,
		description: `Prompt ${index}.`,
	}));
	service.agents.splice(0, service.agents.length, ...agents);
	const {exitCode, stderr} = await into();
	assert.equal(exitCode, 0, stderr);
	assert.deepEqual(
		Object.keys(readFolderTexts(folder)).filter(name => name.endsWith('.md') && !name.startsWith('home/agents/')),
		[],
	);
	const written = Object.entries(texts()).filter(([name]) => name.endsWith('.md'));
	assert.equal(new Set(written.map(([name]) => name.toLowerCase())).size, agents.length);
	assert.deepEqual(written.map(([, text]) => text).toSorted(), agents.map(({description}) => description).toSorted());
	assert.ok(
		written.every(([name]) => /^agents\/[\p{Letter}\p{Number} \-._]+\.md$/u.test(name) && !/\/(?:con)?\.md$/i.test(name)),
		JSON.stringify(written),
	);
	// The names themselves are those of the service, as far as a state file can have them.
	assert.notEqual((await run(['state', 'check', inHome('home.yaml')])).exitCode, 1);
});

test('a link in the folder is not followed', async (t: TestContext) => {
	const {into, inHome, folder} = await start(t);
	mkdirSync(path.join(folder, 'elsewhere'));
	mkdirSync(path.join(folder, 'home'));
	symlinkSync(path.join(folder, 'elsewhere'), inHome('agents'));
	assert.equal((await into()).exitCode, 2);
	assert.equal((await into('--force')).exitCode, 2);
	assert.deepEqual(readFolderTexts(path.join(folder, 'elsewhere')), {});
	assert.equal(existsSync(inHome('home.yaml')), false);
});

test('a manifest that is damaged, or that names files elsewhere, lets nothing be removed', async (t: TestContext) => {
	const {into, inHome, folder} = await start(t);
	await into();
	const precious = path.join(folder, 'precious.txt');
	writeFileSync(precious, 'Mine.');
	const {version, files} = parseJson(readFileSync(inHome(manifest), 'utf8')) as {version: number; files: Record<string, readonly string[]>};
	writeFileSync(
		inHome(manifest),
		JSON.stringify({version, files: {...files, '../precious.txt': files['home.yaml'], 'agents/../../precious.txt': files['home.yaml']}}),
	);
	assert.equal((await into()).exitCode, 0);
	writeFileSync(inHome(manifest), '{"version": 1, "files": {"home.ya');
	// The same files are no conflict.
	assert.equal((await into()).exitCode, 0);
	assert.equal(readFileSync(precious, 'utf8'), 'Mine.');
});

test('an empty folder name, and a file beside --into, are refused', async (t: TestContext) => {
	const {run, folder} = await start(t);
	assert.equal((await run(['export', '--into', ''])).exitCode, 2);
	assert.equal((await run(['export', 'home.yaml', '--into', 'home'])).exitCode, 2);
	assert.equal((await run(['export', '--sources'])).exitCode, 2);
	assert.deepEqual(readFolderTexts(folder), {});
});

test('with --json the state is printed', async (t: TestContext) => {
	const {into, run} = await start(t);
	const printed = parseJson((await into('--json')).stdout) as {
		readonly version: number;
		readonly agents: Readonly<Record<string, {readonly prompt_file?: string}>>;
	};
	assert.equal(printed.version, 1);
	assert.equal(printed.agents['Hearth']!.prompt_file, './agents/Hearth.md');
	assert.deepEqual(await run(['plan', 'home/home.yaml']), ended(0, (await run(['plan', 'home/home.yaml'])).stdout));
});
