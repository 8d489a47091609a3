import {assert, mkdirSync, path, readdirSync, readFileSync, symlinkSync, test, writeFileSync} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {presetAccountOf} from '../../source/settings/account.ts';
import {openPresets, type Presets} from '../../source/settings/presets.ts';
import {openSettings} from '../../source/settings/settings.ts';
import type {RemoteTarget} from '../../source/settings/target.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';
import {runTogether} from '../helpers/run-together.ts';

const work: RemoteTarget = {
	kind: 'remote',
	profileName: 'work',
	baseAddress: 'https://voice.example.com',
	apiKey: 'sk-work-0123456789',
	isInsecureHttp: false,
};

const night = {name: 'night', on: ['nightwatch'], off: ['lamplighter', 'pantry']};

type Opened = Presets & {readonly configFolder: string; readonly file: string; readonly notices: readonly string[]};

function openIn(configFolder: string, account = presetAccountOf(work)): Opened {
	const notices: string[] = [];
	const presets = openPresets(account, {
		configFolder,
		note(notice) {
			notices.push(notice);
		},
	});
	return {...presets, configFolder, file: path.join(configFolder, 'presets.json'), notices};
}

const newFolder = (): string => path.join(temporaryFolder(), 'switchboard');

/** Presets whose file holds a text. */
function openFile(text: string): Opened {
	const presets = openIn(newFolder());
	mkdirSync(presets.configFolder);
	writeFileSync(presets.file, text);
	return presets;
}

const ofKind =
	(kind: string) =>
	(error: unknown): boolean =>
		error instanceof SwitchboardError && error.kind === kind;

const asideFiles = (configFolder: string): readonly string[] =>
	readdirSync(configFolder).filter(name => name.startsWith('presets.json.broken-'));

test('on a new machine there are no presets, and looking for one, or removing one, creates no file', async () => {
	const presets = openIn(newFolder());
	assert.deepEqual(await presets.list(), []);
	assert.equal(await presets.find('night'), undefined);
	assert.equal(await presets.remove('night'), false);
	assert.throws(() => readdirSync(presets.configFolder), {code: 'ENOENT'});
});

test('a preset is stored in a private file, sorted, and found by its name in any case', async () => {
	const presets = openIn(newFolder());
	await presets.save({name: 'Night', on: ['nightwatch'], off: ['pantry', 'lamplighter']}, {isReplacing: false});
	assert.deepEqual(await openIn(presets.configFolder).find('night'), {...night, name: 'Night'});
	assert.deepEqual([modeOf(presets.file), modeOf(presets.configFolder)], ['600', '700']);
	assert.deepEqual(readdirSync(presets.configFolder), ['presets.json']);
});

test('presets are listed by name, whatever the names are', async () => {
	const presets = openIn(newFolder());
	for (const name of ['night10', 'constructor', 'night2', '__proto__', 'Übung', '7']) {
		await presets.save({...night, name}, {isReplacing: false});
	}

	const list = await presets.list();
	assert.deepEqual(
		list.map(({name}) => name),
		['__proto__', '7', 'constructor', 'night2', 'night10', 'Übung'],
	);
	assert.equal(await presets.find('toString'), undefined);
});

test('a name that is taken is refused in any case, unless the preset is to be replaced', async () => {
	const presets = openIn(newFolder());
	await presets.save(night, {isReplacing: false});
	await assert.rejects(
		presets.save({name: 'NIGHT', on: [], off: []}, {isReplacing: false}),
		/^SwitchboardError: There is a preset “night” already\.$/,
	);
	assert.deepEqual(await presets.list(), [night]);
	await presets.save({name: 'NIGHT', on: [], off: []}, {isReplacing: true});
	assert.deepEqual(await presets.list(), [{name: 'NIGHT', on: [], off: []}]);
});

test('a name of other characters, or of too many, is refused', async () => {
	const presets = openIn(newFolder());
	for (const name of ['', ' ', 'a/b', '../x', 'a.b', 'a\nb', 'n'.repeat(65)]) {
		await assert.rejects(presets.save({...night, name}, {isReplacing: false}), ofKind('usage'));
	}

	await presets.save({...night, name: 'n'.repeat(64)}, {isReplacing: false});
	assert.equal(await presets.remove('N'.repeat(64)), true);
	assert.deepEqual(await presets.list(), []);
});

test('a name is stored with one space between two words, and found however it is typed', async () => {
	const presets = openIn(newFolder());
	await presets.save({...night, name: '  good\u{A0} \tnight '}, {isReplacing: false});
	assert.deepEqual(await presets.list(), [{...night, name: 'good night'}]);
	assert.equal((await presets.find('GOOD   night'))?.name, 'good night');
	await assert.rejects(presets.save({...night, name: 'Good  night'}, {isReplacing: false}), ofKind('conflict'));
	assert.equal(await presets.remove(' good  night'), true);
});

test('a preset that is replaced can be kept under another name, in one step, unless both hold the same', async () => {
	const presets = openIn(newFolder());
	const later = {name: 'Night', on: [], off: ['porch']};
	assert.equal(await presets.save(night, {isReplacing: true, previousName: 'before'}), undefined);
	assert.deepEqual(await presets.save(night, {isReplacing: true, previousName: 'before'}), night);
	assert.deepEqual(await presets.list(), [night]);
	assert.deepEqual(await presets.save(later, {isReplacing: true, previousName: 'before'}), night);
	assert.deepEqual(await presets.list(), [{...night, name: 'before'}, later]);
	await assert.rejects(presets.save(night, {isReplacing: true, expected: night}), ofKind('conflict'));
	assert.deepEqual(await presets.save(night, {isReplacing: true, expected: later}), later);
	await assert.rejects(presets.save({...night, name: 'gone'}, {isReplacing: true, expected: night}), ofKind('conflict'));
});

test('an account has at most 200 presets, and one of them can still be replaced', async () => {
	const stored = Array.from({length: 200}, (_, index) => ({account: presetAccountOf(work), ...night, name: `night ${index}`}));
	const presets = openFile(JSON.stringify({version: 1, presets: stored}));
	await assert.rejects(presets.save(night, {isReplacing: false}), ofKind('too-large'));
	assert.equal((await presets.save({...night, name: 'night 7'}, {isReplacing: true}))?.name, 'night 7');
});

test('each account has presets of its own: by address and profile, or by the key where that is from the environment', async () => {
	const configFolder = newFolder();
	const targets = [
		work,
		{...work, profileName: 'other'},
		{...work, baseAddress: 'https://voice.example.org'},
		{...work, profileName: undefined},
		{...work, profileName: undefined, apiKey: 'sk-other-0123456789'},
		{kind: 'local'},
	] as const;
	const accounts = targets.map(target => presetAccountOf(target));
	for (const [index, account] of accounts.entries()) {
		await openIn(configFolder, account).save({...night, on: [String(index)]}, {isReplacing: false});
	}

	const found = await Promise.all(accounts.map(async account => openIn(configFolder, account).list()));
	assert.deepEqual(
		found,
		accounts.map((_, index) => [{...night, on: [String(index)]}]),
	);
	assert.doesNotMatch(readFileSync(path.join(configFolder, 'presets.json'), 'utf8'), /sk-/);
	assert.equal(presetAccountOf({...work, apiKey: 'sk-new-0123456789'}), accounts[0]);
});

for (const [what, text] of [
	['is half-written', '{"version":1,"presets":[{"account":'],
	['is empty', ''],
	['is of another program', '[]'],
	['holds a foreign entry alone', '{"version":1,"presets":[{"name":"night"}]}'],
] as const) {
	test(`a presets file that ${what} is set aside with a notice, and nothing of it is lost`, async () => {
		const presets = openFile(text);
		assert.deepEqual(await presets.list(), []);
		const [aside = ''] = asideFiles(presets.configFolder);
		assert.deepEqual(presets.notices, [`The presets file is not valid and was set aside as ${path.join(presets.configFolder, aside)}.`]);
		assert.equal(readFileSync(path.join(presets.configFolder, aside), 'utf8'), text);
		await presets.save(night, {isReplacing: false});
		assert.deepEqual(await presets.list(), [night]);
		assert.equal(presets.notices.length, 1);
	});
}

test('a presets file of a newer version is neither read nor replaced', async () => {
	const text = '{"version":2,"presets":[]}';
	const presets = openFile(text);
	const message = {kind: 'refused', message: `The presets in ${presets.file} are of a newer version of Switchboard.`};
	await assert.rejects(presets.list(), message);
	await assert.rejects(presets.save(night, {isReplacing: true}), message);
	assert.deepEqual([readFileSync(presets.file, 'utf8'), readdirSync(presets.configFolder)], [text, ['presets.json']]);
});

test('presets that are not valid are removed with a notice, the others stay, and the original file is kept', async () => {
	const good = {...night, account: presetAccountOf(work)};
	const broken = [
		7,
		null,
		{...good, name: 'a/b'},
		{...good, name: 'a  b'},
		{...good, name: 'both', on: ['pantry']},
		{...good, name: 'numbers', on: [7]},
		{...good, name: 'no-account', account: null},
		{...good, name: 'nothing', off: undefined},
	];
	const text = JSON.stringify({version: 1, presets: [...broken, good]});
	const presets = openFile(text);
	assert.deepEqual(await presets.list(), [night]);
	const [aside = ''] = asideFiles(presets.configFolder);
	const asideFile = path.join(presets.configFolder, aside);
	assert.deepEqual(presets.notices, [
		`Some presets are not valid and were removed (8 of 9). The original file was set aside as ${asideFile}.`,
	]);
	assert.deepEqual([readFileSync(asideFile, 'utf8'), modeOf(asideFile), modeOf(presets.file)], [text, '600', '600']);
	assert.deepEqual(await presets.list(), [night]);
	assert.equal(presets.notices.length, 1);
});

test('a presets file that breaks while presets are saved is set aside, and the one that is saved is stored', async () => {
	const presets = openFile('{');
	await presets.save(night, {isReplacing: false});
	assert.deepEqual([await presets.list(), presets.notices.length, asideFiles(presets.configFolder).length], [[night], 1, 1]);
});

test('a presets file that is no regular file is neither read nor replaced', async () => {
	const elsewhere = path.join(temporaryFolder(), 'victim');
	writeFileSync(elsewhere, 'mine');
	const linked = openIn(newFolder());
	mkdirSync(linked.configFolder);
	symlinkSync(elsewhere, linked.file);
	const folder = openIn(newFolder());
	mkdirSync(folder.file, {recursive: true});
	for (const presets of [linked, folder]) {
		await assert.rejects(presets.list(), /^SwitchboardError: The presets in .*presets\.json cannot be read: /);

		await assert.rejects(presets.save(night, {isReplacing: true}), ofKind('unexpected'));
	}

	assert.equal(readFileSync(elsewhere, 'utf8'), 'mine');
});

test('presets that cannot be written are an error that names the file, and presets without end are refused', async () => {
	const presets = openIn(path.join('/proc/nobody', 'switchboard'));
	await assert.rejects(
		presets.save(night, {isReplacing: true}),
		/^SwitchboardError: \/proc\/nobody\/switchboard\/presets\.json cannot be written: /,
	);
	const endless = openIn(newFolder());
	const names = Array.from({length: 100}, (_, index) => `${index} ${'n'.repeat(200_000)}`);
	await assert.rejects(endless.save({name: 'all', on: names, off: []}, {isReplacing: true}), ofKind('too-large'));
	assert.deepEqual(await endless.list(), []);
});

test('no preset is lost when several processes save one at the same time', async () => {
	const configFolder = newFolder();
	await runTogether(
		'settings/presets.ts',
		`
		const presets = opened.openPresets('a', {configFolder: ${JSON.stringify(configFolder)}, note: console.error});
		for (let index = 0; index < 10; index++) {
			await presets.save({name: \`p\${process.argv[1]}-\${index}\`, on: [], off: []}, {isReplacing: false});
		}`,
	);
	const presets = openIn(configFolder, 'a');
	assert.deepEqual([(await presets.list()).length, presets.notices, readdirSync(configFolder)], [20, [], ['presets.json']]);
});

test('presets outlive the key of their profile, follow its new name, and go with the profile', async () => {
	const configFolder = newFolder();
	const settings = await openSettings({configFolder, cacheFolder: path.join(configFolder, 'cache')});
	const {profileName: name = '', baseAddress, apiKey} = work;
	await settings.saveProfile({name, baseAddress, apiKey});
	await openIn(configFolder).save(night, {isReplacing: false});
	await settings.forgetKey('work');
	await settings.saveProfile({name, baseAddress, apiKey: 'sk-new-0123456789'});
	await settings.renameProfile('work', 'office');
	const office = openIn(configFolder, presetAccountOf({...work, profileName: 'office'}));
	assert.deepEqual([await openIn(configFolder).list(), await office.list()], [[], [night]]);
	await settings.removeProfile('office');
	assert.deepEqual([await office.list(), settings.notices], [[], []]);
});

test('a profile is removed although its presets cannot be, and that is said', async () => {
	const configFolder = newFolder();
	const settings = await openSettings({configFolder, cacheFolder: path.join(configFolder, 'cache')});
	await settings.saveProfile({name: 'work', baseAddress: work.baseAddress, apiKey: work.apiKey});
	mkdirSync(path.join(configFolder, 'presets.json'));
	await settings.removeProfile('work');
	assert.deepEqual(settings.profiles(), []);
	assert.match(
		settings.notices.join('\n'),
		/^The presets of the profile “work” stay as they were: The presets in .*presets\.json cannot be read: it is not a regular file$/,
	);
});
