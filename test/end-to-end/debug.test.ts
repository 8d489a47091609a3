import {assert, test} from '../helpers/node.ts';
import {readFile, stat} from 'node:fs/promises';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openUi, says} from './open-ui.ts';

test('--debug logs the requests of the UI to a private file and prints its path on exit', async () => {
	await using ui = openUi(createIsolatedHome(), {args: ['--debug'], columns: 200});
	await ui.waitFor('live · 9 of 12 on');
	await ui.press('space').waitFor(says('morninglights', 'off'));
	assert.equal((await ui.press('q').exited).exitCode, 0);
	const {file} = /^Request log: (?<file>\/\S+\.log)$/m.exec(ui.screen().join('\n'))!.groups!;
	const log = (await readFile(file!, 'utf8')).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'ORIGIN');
	// The other lists are read for what stands beneath the list. When the stream of changes opens is not to be foreseen.
	const requests = log.replaceAll(/^\S+Z GET ORIGIN\/(?:events|history) 200 \d+ ms\n/gm, '');
	assert.notEqual(requests, log);
	assert.match(
		requests,
		/^\S+Z GET ORIGIN\/api\/capabilities\/get-installed-capabilities\/ 200 \d+ ms\n(?:\S+Z GET ORIGIN\/api\/\S+\/ 200 \d+ ms\n){2}\S+Z PUT ORIGIN\/api\/capabilities\/edit-installed-capability\/\d+\/ 200 \d+ ms\n$/,
	);
	assert.equal(((await stat(file!)).mode % 0o1000).toString(8), '600');
});
