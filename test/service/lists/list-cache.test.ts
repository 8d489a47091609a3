import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {createListCache} from '../../../source/service/lists/list-cache.ts';

test('a list is kept until it has another version', () => {
	const cache = createListCache(1000);
	const text = cache.add('installed', 'first', Buffer.alloc(10));
	assert.equal(cache.find('installed', 'first'), text);
	assert.equal(cache.find('installed', 'second'), undefined);
	cache.add('installed', 'second', Buffer.alloc(10));
	assert.equal(cache.find('installed', 'first'), undefined);
});

test('what nobody has asked for longest makes room for others', () => {
	const cache = createListCache(1000);
	for (const key of ['one', 'two', 'three']) {
		cache.add(key, 'v', Buffer.alloc(300));
	}

	assert.ok(cache.find('one', 'v'));
	cache.add('four', 'v', Buffer.alloc(300));
	assert.deepEqual(['one', 'two', 'three', 'four'].filter(key => cache.find(key, 'v') !== undefined), ['one', 'three', 'four']);
});

test('a list that is larger than the cache is not kept, and others stay', () => {
	const cache = createListCache(1000);
	cache.add('huge', 'v', Buffer.alloc(1001));
	assert.equal(cache.find('huge', 'v'), undefined);
	cache.add('small', 'v', Buffer.alloc(900));
	assert.ok(cache.find('small', 'v'));
});

test('a list is compressed once, and takes room for it', async () => {
	const cache = createListCache(1000);
	const text = cache.add('installed', 'v', Buffer.alloc(980, 'x'));
	const [first, second] = await Promise.all([text.compressed('gzip'), text.compressed('gzip')]);
	assert.equal(first, second);
	assert.deepEqual(gunzipSync(first), text.bytes);
	assert.equal(cache.find('installed', 'v'), undefined);
});
