import {assert, assertMapped, Buffer, test} from '../../helpers/node.ts';
import {setImmediate} from 'node:timers/promises';
import {gunzipSync} from 'node:zlib';
import {createListForm, createLists, createTextCache, chooseCoding, entityTag, findMatch} from '../../../source/service/lists.ts';
import type {Listed} from '../../../source/service/store/changes.ts';
import {plainKey} from '../app-parts.ts';
import {fieldsOf} from '../kit.ts';

/** A list that is read when the test says so. */
function createReads() {
	const reads: Array<PromiseWithResolvers<Listed<object>>> = [];
	const form = createListForm(
		{},
		{
			name: 'installed',
			list: 'installed',
			async read() {
				const read = Promise.withResolvers<Listed<object>>();
				reads.push(read);
				return read.promise;
			},
		},
	);
	const lists = createLists();
	/** For a caller who knows of this version. */
	const callerOf = (installed: string) => ({
		...plainKey,
		accountId: 1,
		account: 'default',
		keyName: '1',
		keyId: 1,
		author: {name: 'any', person: '', via: 'any'},
		versions: {agents: '', abilities: '', installed},
	});
	return {
		reads,
		read: async (installed: string) => lists.read(form, callerOf(installed)),
		compress: async (text: {readonly version: string; readonly bytes: Buffer}) => lists.compress(form, callerOf(''), text, 'gzip'),
	};
}

test('all who ask for a list while it is read share one read, and those after it need none', async () => {
	const {reads, read} = createReads();
	const answers = Promise.all(Array.from({length: 10}, async () => read('first')));
	await setImmediate();
	assert.equal(reads.length, 1);
	reads[0]!.resolve({version: 'first', records: [{id: 1}]});
	const texts = await answers;
	assertMapped(
		texts,
		({bytes}) => bytes.toString(),
		texts.map(() => '[{"id":1}]'),
	);
	assert.equal(await read('first'), texts[0]);
	assert.equal(reads.length, 1);
});

test('all who know of a newer version than the one that is being read share the next read', async () => {
	const {reads, read} = createReads();
	const early = read('first');
	const late = [read('second'), read('third')];
	await setImmediate();
	reads[0]!.resolve({version: 'first', records: []});
	assert.equal((await early).version, 'first');
	await setImmediate();
	assert.equal(reads.length, 2);
	reads[1]!.resolve({version: 'third', records: []});
	assert.deepEqual(fieldsOf(await Promise.all(late), 'version'), ['third', 'third']);
});

test('a caller who knows of the version that is being read does not wait for another', async () => {
	const {reads, read} = createReads();
	const answers = [read('first'), read('second')];
	await setImmediate();
	reads[0]!.resolve({version: 'second', records: []});
	assert.deepEqual(fieldsOf(await Promise.all(answers), 'version'), ['second', 'second']);
	assert.equal(reads.length, 1);
});

test('a read that fails is not kept', async () => {
	const {reads, read} = createReads();
	const failed = read('first');
	await setImmediate();
	reads[0]!.reject(new Error('away'));
	await assert.rejects(failed, /away/);
	const answer = read('first');
	await setImmediate();
	reads[1]!.resolve({version: 'first', records: []});
	assert.equal((await answer).version, 'first');
});

test('the list that was least recently used makes room for others; one that is larger than the cache is not kept', () => {
	const cache = createTextCache(1000);
	const add = (key: string, size: number): void => {
		cache.add(key, {version: 'v', bytes: Buffer.alloc(size)});
	};

	for (const key of ['one', 'two', 'three']) {
		add(key, 300);
	}

	assert.ok(cache.find('one', 'v'));
	add('four', 300);
	assert.deepEqual(
		['one', 'two', 'three', 'four'].filter(key => cache.find(key, 'v') !== undefined),
		['one', 'three', 'four'],
	);
	add('huge', 1001);
	assert.equal(cache.find('huge', 'v'), undefined);
	add('small', 900);
	assert.ok(cache.find('small', 'v'));
});

test('each version of a list is compressed once', async () => {
	const {compress} = createReads();
	const [text, later] = ['first', 'second'].map(version => ({version, bytes: Buffer.from(version)}));
	const [first, second, third] = await Promise.all([compress(text!), compress(text!), compress(later!)]);
	assert.equal(first, second);
	assertMapped([first, third], bytes => gunzipSync(bytes).toString(), ['first', 'second']);
	assert.equal(await compress(later!), third);
});

test('a client gets a list in the coding that it prefers, or as it is', () => {
	for (const [header, coding] of [
		[undefined, undefined],
		['', undefined],
		['identity', undefined],
		['deflate', undefined],
		['gzip', 'gzip'],
		['GZip', 'gzip'],
		['gzip, deflate, br', 'br'],
		['gzip;q=0.9, br;q=0.8', 'gzip'],
		['br;q=0, gzip', 'gzip'],
		['gzip; q=0', undefined],
		['*', 'br'],
		['*;q=0', undefined],
		['*, br;q=0', 'gzip'],
		['identity, gzip;q=0.5', undefined],
		['gzip;q=nonsense', undefined],
	] as const) {
		assert.equal(chooseCoding(header), coding, header);
	}
});

test('a client has the list whose tag it sends, in this form and in whatever coding', () => {
	const tag = entityTag('AB12', 'f0');
	for (const header of [tag, `W/${tag}`, ` ${tag} `, `"other", ${tag}`, `"a,b",${tag},W/"c"`, '*']) {
		assert.equal(findMatch(header, 'AB12', 'f0'), tag, header);
	}

	for (const header of [undefined, '', '""', 'AB12-f0', '"AB12"', '"other"', '"*"', '"AB12-f0']) {
		assert.equal(findMatch(header, 'AB12', 'f0'), undefined, header);
	}

	const compressed = entityTag('AB12', 'f0', 'gzip');
	assert.notEqual(compressed, tag);
	assert.equal(findMatch(compressed, 'AB12', 'f0'), compressed);
	assert.equal(findMatch(tag, 'AB12', 'f1'), undefined);
});
