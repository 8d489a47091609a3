import assert from 'node:assert/strict';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {openLastSeen} from '../../source/settings/last-seen.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

const account = {baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'};
const list = {records: [{id: 1, name: 'pantry'}], fetchedAt: 1_700_000_000_000};

const inFolder = () => {
	const cacheFolder = path.join(temporaryFolder(), 'switchboard');
	return {...account, cacheFolder, folder: path.join(cacheFolder, 'last-seen')};
};

test('a list comes back with the time it was fetched, to the same account only', () => {
	const place = inFolder();
	openLastSeen(place).save('installed', list);
	assert.deepEqual(openLastSeen(place).load('installed'), list);
	assert.equal(openLastSeen(place).load('agents'), undefined);
	assert.equal(openLastSeen({...place, apiKey: 'sk-other-0123456789'}).load('installed'), undefined);
	assert.equal(openLastSeen({...place, baseAddress: 'https://other.example.com'}).load('installed'), undefined);
});

test('what is kept is private, and the key is no part of it', () => {
	const place = inFolder();
	openLastSeen(place).save('installed', list);
	const [name] = readdirSync(place.folder);
	const file = path.join(place.folder, name!);
	assert.deepEqual([modeOf(file), modeOf(place.folder)], ['600', '700']);
	assert.doesNotMatch(name! + readFileSync(file, 'utf8'), /sk-work/);
});

test('a half-written, foreign or future file is no list', () => {
	const place = inFolder();
	const lastSeen = openLastSeen(place);
	lastSeen.save('installed', list);
	const file = path.join(place.folder, readdirSync(place.folder)[0]!);
	const text = readFileSync(file, 'utf8');
	const later = JSON.stringify({...JSON.parse(text) as object, fetchedAt: Date.now() + 100_000});
	const wrong = [text.slice(0, -5), '', '[]', 'null', later, text.replace('voice', 'other'), text.replace('"version":1', '"version":2')];
	const loaded = wrong.map(content => {
		writeFileSync(file, content);
		return lastSeen.load('installed');
	});
	assert.deepEqual(loaded, wrong.map(() => undefined));
	writeFileSync(file, text.replace('[{', '[7, null, {'));
	assert.deepEqual(lastSeen.load('installed'), list);
});

test('a list that is too long to be read quickly is not kept', () => {
	const lastSeen = openLastSeen(inFolder());
	lastSeen.save('agents', list);
	lastSeen.save('agents', {...list, records: [{id: 1, description: 'x'.repeat(13 * 1024 * 1024)}]});
	assert.equal(lastSeen.load('agents'), undefined);
});

test('lists of accounts no longer used disappear', () => {
	const place = inFolder();
	openLastSeen({...place, apiKey: 'sk-old-0123456789'}).save('agents', list);
	const old = path.join(place.folder, readdirSync(place.folder)[0]!);
	utimesSync(old, new Date(0), new Date(0));
	openLastSeen(place).save('agents', list);
	assert.equal(readdirSync(place.folder).length, 1);
	assert.deepEqual(openLastSeen(place).load('agents'), list);
});

test('where nothing can be kept, nothing fails', () => {
	const place = inFolder();
	mkdirSync(place.cacheFolder);
	writeFileSync(place.folder, '');
	const lastSeen = openLastSeen(place);
	lastSeen.save('agents', list);
	assert.equal(lastSeen.load('agents'), undefined);
	lastSeen.forget();
});

test('signing out forgets the lists that the account saw', async () => {
	const place = inFolder();
	const settings = await openSettings({configFolder: path.join(place.cacheFolder, 'config'), cacheFolder: place.cacheFolder});
	await settings.saveProfile({name: 'work', ...account});
	openLastSeen(place).save('agents', list);
	openLastSeen(place).save('installed', list);
	await settings.forgetKey('work');
	assert.deepEqual(readdirSync(place.folder), []);
});
