import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import {test} from 'node:test';
import {promisify} from 'node:util';

const run = promisify(execFile);

test('an error belongs to the session whose code threw it, in whatever way, and any other to the server', async () => {
	const {stdout} = await run(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, 'fixtures/errors.ts')]);
	const ways = ['at once', 'timer', 'immediate', 'next tick', 'microtask', 'rejection', 'after waiting', 'stream'];
	assert.deepEqual(stdout.trim().split('\n'), [
		...ways.map(way => `session “${way}”: ${way}`),
		'server: elsewhere',
		'failed: Unexpected error: elsewhere',
		'listeners left: 0 0',
	]);
});
