import assert from 'node:assert/strict';
import {test} from 'node:test';
import {filesLoadedBy, packagesOf} from '../helpers/loaded-files.ts';

test('the command line loads no package but those that every command needs', async () => {
	const loaded = packagesOf(await filesLoadedBy(new URL('../../source/commands/command-line.ts', import.meta.url).href));
	assert.ok(loaded.has('commander'));
	const heavy = ['@modelcontextprotocol/server', 'diff', 'fastify', 'got', 'ink', 'kysely', 'react', 'typebox', 'yaml', 'yauzl', 'yazl', 'zod'];
	assert.deepEqual(heavy.filter(name => loaded.has(name)), []);
});
