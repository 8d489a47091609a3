import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {test} from 'node:test';
import Conf from 'conf';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {userFolders} from '../../source/platform/user-folders.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

const work = {name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};
const home = {name: 'home.example.com', baseAddress: 'http://127.0.0.1:8787', apiKey: 'sk-home-0123456789'};

const inFolder = (): {readonly configFolder: string; readonly cacheFolder: string; readonly file: string} => {
	const folder = temporaryFolder();
	const configFolder = path.join(folder, 'config', 'switchboard');
	return {configFolder, cacheFolder: path.join(folder, 'cache'), file: path.join(configFolder, 'config.json')};
};

const writeSettings = ({configFolder, file}: {readonly configFolder: string; readonly file: string}, text: string): void => {
	mkdirSync(configFolder, {recursive: true});
	writeFileSync(file, text);
};

const asideFiles = (configFolder: string): readonly string[] => readdirSync(configFolder).filter(name => name.startsWith('config.json.broken-'));

test('a fresh machine has no profile, and looking leaves no file behind', async () => {
	const {configFolder, cacheFolder} = inFolder();
	const settings = await openSettings({configFolder, cacheFolder});
	assert.deepEqual(settings.profiles(), []);
	assert.equal(settings.currentProfileName(), undefined);
	assert.deepEqual(settings.notices, []);
	assert.throws(() => readdirSync(configFolder), {code: 'ENOENT'});
});

test('a profile that was saved is there and current at the next start', async () => {
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

test('the settings are where conf puts them by default', () => {
	const store = new Conf({projectName: 'switchboard', projectSuffix: ''});
	assert.equal(path.join(userFolders().config, 'config.json'), store.path);
});

test('file and folder are private, also where they existed looser', async () => {
	const place = inFolder();
	const settings = await openSettings(place);
	await settings.saveProfile(work);
	assert.deepEqual([modeOf(place.file), modeOf(place.configFolder)], ['600', '700']);
	chmodSync(place.file, 0o644);
	chmodSync(place.configFolder, 0o755);
	const next = await openSettings(place);
	assert.deepEqual([modeOf(place.file), modeOf(place.configFolder)], ['600', '700']);
	assert.deepEqual(next.profiles(), [work]);
	assert.deepEqual(next.notices, []);
});

for (const [what, text] of [['empty', ''], ['half-written', '{"profiles": {"work": {"baseAddr'], ['of another kind', '[1, 2]']] as const) {
	test(`a settings file that is ${what} is set aside whole, and that is said`, async () => {
		const place = inFolder();
		writeSettings(place, text);
		const settings = await openSettings(place);
		const [aside, ...others] = asideFiles(place.configFolder);
		assert.deepEqual(others, []);
		assert.equal(readFileSync(path.join(place.configFolder, aside!), 'utf8'), text);
		assert.equal(modeOf(path.join(place.configFolder, aside!)), '600');
		assert.equal(settings.notices.length, 1);
		assert.match(settings.notices[0]!, new RegExp(aside!));
		await settings.saveProfile(work);
		const next = await openSettings(place);
		assert.deepEqual([next.profiles(), next.notices], [[work], []]);
	});
}

test('wrong entries are left out and set aside, right ones stay, and fields of a later version are kept', async () => {
	const place = inFolder();
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
	writeSettings(place, text);
	const settings = await openSettings(place);
	assert.deepEqual(settings.profiles(), [work]);
	assert.equal(settings.currentProfileName(), 'work');
	assert.match(settings.notices.join('\n'), /“ftp”.*“spaced”.*“local”/);
	const [aside] = asideFiles(place.configFolder);
	assert.equal(readFileSync(path.join(place.configFolder, aside!), 'utf8'), text);
	assert.deepEqual(JSON.parse(readFileSync(place.file, 'utf8')), {
		profiles: {work: {baseAddress: work.baseAddress, apiKey: work.apiKey, colour: 'red'}},
		currentProfile: 'work',
		later: [1],
	});
	const next = await openSettings(place);
	assert.deepEqual(next.notices, []);
});

test('a file that breaks while the program runs is set aside at the next change, and nothing known is lost', async () => {
	const place = inFolder();
	const settings = await openSettings(place);
	await settings.saveProfile(work);
	writeFileSync(place.file, '{');
	assert.deepEqual(settings.profiles(), [work]);
	await settings.saveProfile(home);
	assert.match(settings.notices.join('\n'), /set aside/);
	const next = await openSettings(place);
	assert.deepEqual(next.profiles(), [work, home]);
	assert.equal(asideFiles(place.configFolder).length, 1);
});

test('where the settings cannot be stored, a change holds for this run and that is said once', async () => {
	const place = inFolder();
	mkdirSync(path.dirname(place.configFolder), {recursive: true});
	// A file where the folder should be: this holds for the superuser as well.
	writeFileSync(place.configFolder, '');
	const settings = await openSettings(place);
	await settings.saveProfile(work);
	await settings.saveProfile(home);
	assert.deepEqual(settings.profiles(), [work, home]);
	assert.equal(settings.currentProfileName(), home.name);
	assert.equal(settings.isMemoryOnly(), true);
	assert.equal(settings.notices.length, 1);
	assert.match(settings.notices[0]!, /this run only/);
});

// Where there is no /proc, the folder is merely one that cannot be made.
test('a home folder that cannot be is no reason to hang', async () => {
	const settings = await openSettings({configFolder: '/proc/nobody/config/switchboard', cacheFolder: '/proc/nobody/cache'});
	await settings.saveProfile(work);
	assert.deepEqual([settings.profiles(), settings.isMemoryOnly()], [[work], true]);
});

test('signing out forgets the key and keeps the address; removing forgets both', async () => {
	const place = inFolder();
	const settings = await openSettings(place);
	await settings.saveProfile(work);
	await settings.forgetKey('work');
	assert.deepEqual(settings.profiles(), [{...work, apiKey: undefined}]);
	assert.equal(settings.currentProfileName(), 'work');
	assert.doesNotMatch(readFileSync(place.file, 'utf8'), /sk-work/);
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

test('processes that store profiles at the same time lose none', async () => {
	const place = inFolder();
	const script = `
		const {openSettings} = await import(${JSON.stringify(new URL('../../source/settings/settings.ts', import.meta.url).href)});
		const settings = await openSettings(${JSON.stringify(place)});
		for (let index = 0; index < 10; index++) {
			await settings.saveProfile({name: \`p\${process.argv[1]}-\${index}\`, baseAddress: 'https://example.com', apiKey: 'sk-0123456789'});
		}`;
	const children = ['1', '2', '3'].map(name =>
		spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script, name], {stdio: ['ignore', 'inherit', 'inherit']}));
	const exits = await Promise.all(children.map(async child => once(child, 'exit')));
	assert.deepEqual(exits.map(([code]) => code as number), [0, 0, 0]);
	const settings = await openSettings(place);
	assert.equal(settings.profiles().length, 30);
	assert.deepEqual(settings.notices, []);
	assert.deepEqual(readdirSync(place.configFolder), ['config.json']);
});

test('a lock that a killed process left behind holds nobody up for ever', async () => {
	// The second is of a clock that was set back meanwhile.
	for (const time of [new Date(0), new Date(Date.now() + (24 * 60 * 60 * 1000))]) {
		const place = inFolder();
		writeSettings(place, '{}');
		writeFileSync(`${place.file}.lock`, '');
		utimesSync(`${place.file}.lock`, time, time);
		const settings = await openSettings(place);
		await settings.saveProfile(work);
		assert.deepEqual(settings.profiles(), [work]);
	}
});

test('a renamed profile keeps its key, its place and that it is the current one', async () => {
	const folders = inFolder();
	const settings = await openSettings(folders);
	for (const name of ['first', 'work', 'last']) {
		await settings.saveProfile({name, baseAddress: `https://${name}.example.com`, apiKey: `key-of-${name}`});
	}

	await settings.useProfile('work');
	await settings.renameProfile('work', 'office');
	assert.deepEqual(settings.profiles().map(({name, apiKey}) => [name, apiKey]), [['first', 'key-of-first'], ['office', 'key-of-work'], ['last', 'key-of-last']]);
	assert.equal(settings.currentProfileName(), 'office');
	await settings.renameProfile('first', 'zero');
	assert.equal(settings.currentProfileName(), 'office');
	const reopened = await openSettings(folders);
	assert.deepEqual(reopened.profiles().map(({name}) => name), ['zero', 'office', 'last']);
	for (const [name, newName, kind] of [['zero', 'last', 'usage'], ['zero', 'local', 'usage'], ['zero', 'a b', 'usage'], ['none', 'other', 'not-found']] as const) {
		await assert.rejects(settings.renameProfile(name, newName), {kind});
	}

	assert.deepEqual(settings.profiles().map(({name}) => name), ['zero', 'office', 'last']);
});
