import {assert, execFileSync, path, process, test} from '../helpers/node.ts';

test('an error belongs to the session whose code threw it, in whatever way, and any other to the server', () => {
	const output = execFileSync(process.execPath, [path.join(import.meta.dirname, 'fixtures/errors.ts')], {encoding: 'utf8'});
	const ways = ['at once', 'timer', 'immediate', 'next tick', 'microtask', 'rejection', 'after waiting', 'stream'];
	assert.deepEqual(output.trim().split('\n'), [
		...ways.map(way => `session “${way}”: ${way}`),
		'server: elsewhere',
		'failed: Unexpected error: elsewhere',
		'listeners left: 0 0',
	]);
});
