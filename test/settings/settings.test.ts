import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import Conf from 'conf';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {userFolders} from '../../source/platform/user-folders.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';
import {runTogether} from '../helpers/run-together.ts';

const work = {name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};
const home = {name: 'home.example.com', baseAddress: 'http://127.0.0.1:8787', apiKey: 'sk-home-0123456789'};

function inFolder(): {readonly configFolder: string; readonly cacheFolder: string; readonly file: string} {
	const folder = temporaryFolder();
	const configFolder = path.join(folder, 'config', 'switchboard');
	return {configFolder, cacheFolder: path.join(folder, 'cache'), file: path.join(configFolder, 'config.json')};
}

function writeSettings({configFolder, file}: {readonly configFolder: string; readonly file: string}, text: string): void {
	mkdirSync(configFolder, {recursive: true});
	writeFileSync(file, text);
}

const asideFiles = (configFolder: string): readonly string[] =>
	readdirSync(configFolder).filter(name => name.startsWith('config.json.broken-'));

test('a new machine has no profiles, and reading them creates no file', async () => {
	const {configFolder, cacheFolder} = inFolder();
	const settings = await openSettings({configFolder, cacheFolder});
	assert.deepEqual(settings.profiles(), []);
	assert.equal(settings.currentProfileName(), undefined);
	assert.deepEqual(settings.notices, []);
	assert.throws(() => readdirSync(configFolder), {code: 'ENOENT'});
});

test('a saved profile exists and is the current one at the next start', async () => {
	const {configFolder, cacheFolder} = inFolder();
	const settings = await openSettings({configFolder, cacheFolder});
	await settings.saveProfile(work);
	await settings.saveProfile({...home, baseAddress: 'HTTP://127.0.0.1:8787/'});
	const next = await openSettings({configFolder, cacheFolder});
	assert.deepEqual(next.profiles(), [work, home]);
	assert.equal(next.currentProfileName(), 'home.example.com');
	await next.useProfile('work');
	assert.equal(settings.currentProfileName(), 'work');
});

test("the settings are in conf's default folder", (t: TestContext) => {
	// `conf` creates the folder, which must not be the person's own.
	setVariables(t, {XDG_CONFIG_HOME: temporaryFolder()});
	const store = new Conf({projectName: 'switchboard', projectSuffix: ''});
	assert.equal(path.join(userFolders().config, 'config.json'), store.path);
});

test('file and folder are private, even if their modes were looser before', async () => {
	const folders = inFolder();
	const settings = await openSettings(folders);
	await settings.saveProfile(work);
	assert.deepEqual([modeOf(folders.file), modeOf(folders.configFolder)], ['600', '700']);
	// Each kind of access of the group and of others by itself.
	for (const access of [0o040, 0o020, 0o010, 0o004, 0o002, 0o001]) {
		chmodSync(folders.file, 0o600 + access);
		chmodSync(folders.configFolder, 0o700 + access);
		const next = await openSettings(folders);
		assert.deepEqual([modeOf(folders.file), modeOf(folders.configFolder)], ['600', '700'], access.toString(8));
		assert.deepEqual(next.profiles(), [work]);
		assert.deepEqual(next.notices, []);
	}
});

for (const [what, text] of [
	['empty', ''],
	['half-written', '{"profiles": {"work": {"baseAddr'],
	['of another kind', '[1, 2]'],
] as const) {
	test(`a settings file that is ${what} is set aside with a notice`, async () => {
		const folders = inFolder();
		writeSettings(folders, text);
		const settings = await openSettings(folders);
		const [aside, ...others] = asideFiles(folders.configFolder);
		assert.deepEqual(others, []);
		assert.equal(readFileSync(path.join(folders.configFolder, aside!), 'utf8'), text);
		assert.equal(modeOf(path.join(folders.configFolder, aside!)), '600');
		assert.equal(settings.notices.length, 1);
		assert.match(settings.notices[0]!, new RegExp(aside!));
		await settings.saveProfile(work);
		const next = await openSettings(folders);
		assert.deepEqual([next.profiles(), next.notices], [[work], []]);
	});
}

test('invalid entries are removed and set aside; valid ones and unknown fields stay', async () => {
	const folders = inFolder();
	const text = JSON.stringify({
		profiles: {
			work: {baseAddress: work.baseAddress, apiKey: work.apiKey, colour: 'red'},
			ftp: {baseAddress: 'ftp://example.com'},
			spaced: {baseAddress: work.baseAddress, apiKey: 'two words'},
			local: {baseAddress: work.baseAddress},
		},
		currentProfile: 'work',
		later: [1],
	});
	writeSettings(folders, text);
	const settings = await openSettings(folders);
	assert.deepEqual(settings.profiles(), [work]);
	assert.equal(settings.currentProfileName(), 'work');
	assert.match(settings.notices.join('\n'), /“ftp”.*“spaced”.*“local”/);
	const [aside] = asideFiles(folders.configFolder);
	assert.equal(readFileSync(path.join(folders.configFolder, aside!), 'utf8'), text);
	assert.deepEqual(JSON.parse(readFileSync(folders.file, 'utf8')), {
		profiles: {work: {baseAddress: work.baseAddress, apiKey: work.apiKey, colour: 'red'}},
		currentProfile: 'work',
		later: [1],
	});
	const next = await openSettings(folders);
	assert.deepEqual(next.notices, []);
});

test('a file that breaks during a run is set aside at the next change, and no known setting is lost', async () => {
	const folders = inFolder();
	const settings = await openSettings(folders);
	await settings.saveProfile(work);
	writeFileSync(folders.file, '{');
	assert.deepEqual(settings.profiles(), [work]);
	await settings.saveProfile(home);
	assert.match(settings.notices.join('\n'), /set aside/);
	const next = await openSettings(folders);
	assert.deepEqual(next.profiles(), [work, home]);
	assert.equal(asideFiles(folders.configFolder).length, 1);
});

test('if the settings cannot be stored, changes apply to this run only, with one notice', async () => {
	const folders = inFolder();
	mkdirSync(path.dirname(folders.configFolder), {recursive: true});
	// A file instead of the folder: this stops root too.
	writeFileSync(folders.configFolder, '');
	const settings = await openSettings(folders);
	await settings.saveProfile(work);
	await settings.saveProfile(home);
	assert.deepEqual(settings.profiles(), [work, home]);
	assert.equal(settings.currentProfileName(), home.name);
	assert.equal(settings.isMemoryOnly(), true);
	assert.equal(settings.notices.length, 1);
	assert.match(settings.notices[0]!, /this run only/);
});

// Without /proc the folder simply cannot be created.
test('an impossible home folder does not hang the program', async () => {
	const settings = await openSettings({configFolder: '/proc/nobody/config/switchboard', cacheFolder: '/proc/nobody/cache'});
	await settings.saveProfile(work);
	assert.deepEqual([settings.profiles(), settings.isMemoryOnly()], [[work], true]);
});

test('signing out removes the key and keeps the address; removing a profile removes both', async () => {
	const folders = inFolder();
	const settings = await openSettings(folders);
	await settings.saveProfile(work);
	await settings.forgetKey('work');
	assert.deepEqual(settings.profiles(), [{...work, apiKey: undefined}]);
	assert.equal(settings.currentProfileName(), 'work');
	assert.doesNotMatch(readFileSync(folders.file, 'utf8'), /sk-work/);
	await settings.removeProfile('work');
	assert.deepEqual([settings.profiles(), settings.currentProfileName()], [[], undefined]);
});

test('an unknown profile cannot be used, and “local” cannot be stored', async () => {
	const settings = await openSettings(inFolder());
	const ofKind = (kind: string) => (error: unknown) => error instanceof SwitchboardError && error.kind === kind;
	await assert.rejects(settings.useProfile('work'), ofKind('not-found'));
	await assert.rejects(settings.forgetKey('work'), ofKind('not-found'));
	await assert.rejects(settings.saveProfile({...work, name: 'Local'}), ofKind('usage'));
	await assert.rejects(settings.saveProfile({...work, name: '../x'}), ofKind('usage'));
	await assert.rejects(settings.saveProfile({...work, baseAddress: 'voice.example.com'}), ofKind('usage'));
	await settings.useProfile('local');
	assert.equal(settings.currentProfileName(), 'local');
});

test('no profile is lost when several processes store one at the same time', async () => {
	const folders = inFolder();
	await runTogether(
		'settings/settings.ts',
		`
		const settings = await opened.openSettings(${JSON.stringify(folders)});
		for (let index = 0; index < 10; index++) {
			await settings.saveProfile({name: \`p\${process.argv[1]}-\${index}\`, baseAddress: 'https://example.com', apiKey: 'sk-0123456789'});
		}`,
	);
	const settings = await openSettings(folders);
	assert.equal(settings.profiles().length, 20);
	assert.deepEqual(settings.notices, []);
	assert.deepEqual(readdirSync(folders.configFolder), ['config.json']);
});

test('the lock of a killed process expires', async () => {
	// The second is from before the clock was set back.
	for (const time of [new Date(0), new Date(Date.now() + 24 * 60 * 60 * 1000)]) {
		const folders = inFolder();
		writeSettings(folders, '{}');
		writeFileSync(`${folders.file}.lock`, '');
		utimesSync(`${folders.file}.lock`, time, time);
		const settings = await openSettings(folders);
		await settings.saveProfile(work);
		assert.deepEqual(settings.profiles(), [work]);
	}
});

test('a renamed profile keeps its key and its position, and stays the current one', async () => {
	const folders = inFolder();
	const settings = await openSettings(folders);
	for (const name of ['first', 'work', 'last']) {
		await settings.saveProfile({name, baseAddress: `https://${name}.example.com`, apiKey: `key-of-${name}`});
	}

	await settings.useProfile('work');
	await settings.renameProfile('work', 'office');
	assert.deepEqual(
		settings.profiles().map(({name, apiKey}) => [name, apiKey]),
		[
			['first', 'key-of-first'],
			['office', 'key-of-work'],
			['last', 'key-of-last'],
		],
	);
	assert.equal(settings.currentProfileName(), 'office');
	await settings.renameProfile('first', 'zero');
	assert.equal(settings.currentProfileName(), 'office');
	const reopened = await openSettings(folders);
	assert.deepEqual(
		reopened.profiles().map(({name}) => name),
		['zero', 'office', 'last'],
	);
	for (const [name, newName, kind] of [
		['zero', 'last', 'usage'],
		['zero', 'local', 'usage'],
		['zero', 'a b', 'usage'],
		['none', 'other', 'not-found'],
	] as const) {
		await assert.rejects(settings.renameProfile(name, newName), {kind});
	}

	assert.deepEqual(
		settings.profiles().map(({name}) => name),
		['zero', 'office', 'last'],
	);
});
