import {assert, path, test} from '../helpers/node.ts';
import {mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {openLastSeen} from '../../source/settings/last-seen.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

const account = {baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};
const list = {records: [{id: 1, name: 'pantry'}], fetchedAt: 1_700_000_000_000, entityTag: '"one"'};

function inFolder() {
	const cacheFolder = path.join(temporaryFolder(), 'switchboard');
	return {...account, cacheFolder, folder: path.join(cacheFolder, 'last-seen')};
}

test('a stored list is returned with the time it was fetched and its tag, to the same account only', () => {
	const options = inFolder();
	openLastSeen(options).save('installed', list);
	assert.deepEqual(openLastSeen(options).load('installed'), list);
	assert.equal(openLastSeen(options).load('agents'), undefined);
	assert.equal(openLastSeen({...options, apiKey: 'sk-other-0123456789'}).load('installed'), undefined);
	assert.equal(openLastSeen({...options, baseAddress: 'https://other.example.com'}).load('installed'), undefined);
});

test('stored lists are private and do not contain the key', () => {
	const options = inFolder();
	openLastSeen(options).save('installed', list);
	const [name] = readdirSync(options.folder);
	const file = path.join(options.folder, name!);
	assert.deepEqual([modeOf(file), modeOf(options.folder)], ['600', '700']);
	assert.doesNotMatch(name! + readFileSync(file, 'utf8'), /sk-work/);
});

test('a half-written, foreign or future file is ignored', () => {
	const options = inFolder();
	const lastSeen = openLastSeen(options);
	lastSeen.save('installed', list);
	const file = path.join(options.folder, readdirSync(options.folder)[0]!);
	const text = readFileSync(file, 'utf8');
	const later = JSON.stringify({...(JSON.parse(text) as object), fetchedAt: Date.now() + 100_000});
	const wrong = [text.slice(0, -5), '', '[]', 'null', later, text.replace('voice', 'other'), text.replace('"version":1', '"version":2')];
	const loaded = wrong.map(content => {
		writeFileSync(file, content);
		return lastSeen.load('installed');
	});
	assert.deepEqual(
		loaded,
		wrong.map(() => undefined),
	);
	writeFileSync(file, text.replace('[{', '[7, null, {'));
	assert.deepEqual(lastSeen.load('installed'), list);
});

test('a list that is too long to read quickly is not stored', () => {
	const lastSeen = openLastSeen(inFolder());
	lastSeen.save('agents', list);
	lastSeen.save('agents', {...list, records: [{id: 1, description: 'x'.repeat(13 * 1024 * 1024)}]});
	assert.equal(lastSeen.load('agents'), undefined);
});

test('lists of accounts that are no longer used are removed', () => {
	const options = inFolder();
	openLastSeen({...options, apiKey: 'sk-old-0123456789'}).save('agents', list);
	const old = path.join(options.folder, readdirSync(options.folder)[0]!);
	utimesSync(old, new Date(0), new Date(0));
	openLastSeen(options).save('agents', list);
	assert.equal(readdirSync(options.folder).length, 1);
	assert.deepEqual(openLastSeen(options).load('agents'), list);
});

test('a cache folder that cannot be written causes no errors', () => {
	const options = inFolder();
	mkdirSync(options.cacheFolder);
	writeFileSync(options.folder, '');
	const lastSeen = openLastSeen(options);
	lastSeen.save('agents', list);
	assert.equal(lastSeen.load('agents'), undefined);
	lastSeen.forget();
});

test('signing out removes the lists of the account', async () => {
	const options = inFolder();
	const settings = await openSettings({configFolder: path.join(options.cacheFolder, 'config'), cacheFolder: options.cacheFolder});
	await settings.saveProfile({name: 'work', ...account});
	openLastSeen(options).save('agents', list);
	openLastSeen(options).save('installed', list);
	await settings.forgetKey('work');
	assert.deepEqual(readdirSync(options.folder), []);
});
