import assert from 'node:assert/strict';
import {test} from 'node:test';
import {filesLoadedBy, packagesOf} from '../helpers/loaded-files.ts';

const sourceAddress = new URL('../../source/', import.meta.url).href;

test('the client loads no packages but got and its dependencies', async () => {
	const [ours, gots] = await Promise.all([filesLoadedBy(new URL('../../source/client/client.ts', import.meta.url).href), filesLoadedBy(import.meta.resolve('got'))]);
	assert.deepEqual(packagesOf(ours), packagesOf(gots));
	const rooms = ours.filter(url => url.startsWith(sourceAddress)).map(url => url.slice(sourceAddress.length).split('/', 1)[0]);
	assert.deepEqual(new Set(rooms), new Set(['client', 'interface']));
});
