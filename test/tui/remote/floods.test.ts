import {assert, test} from '../../helpers/node.ts';
import {isGoingOn, startServer, type OpenSession} from '../helpers/remote.ts';
import {fingerprintOf} from '../../helpers/remote-terminal.ts';

const isStreamWaiting = ({session}: OpenSession): boolean => session.streams.stdin.isPaused();

for (const {where, opening, typed} of [
	{where: 'a filter', opening: '/', typed: 'ab'},
	{where: 'a list', opening: '', typed: 'jk'},
	{where: 'the palette', opening: ':', typed: 'ab'},
	{where: 'the help', opening: '?', typed: 'jk'},
]) {
	test(`half a megabyte typed at once into ${where} keeps nobody else waiting`, async t => {
		const {open} = await startServer(t);
		const [typist, other] = [open(), open({fingerprint: fingerprintOf('b')})];
		await Promise.all([typist.waitFor('live'), other.waitFor('live')]);
		typist.write(opening);
		typist.write(typed.repeat(256 * 1024));
		await isGoingOn(other);
		assert.ok(isStreamWaiting(typist), 'The other one is answered before.');
		typist.cut();
		assert.equal(await typist.exitCode, 129);
		await isGoingOn(other);
	});
}

test('a filter has a limit, which it says, and what is typed after it counts', async t => {
	const {open} = await startServer(t);
	const session = open();
	await session.waitFor('live');
	session.write('/' + 'ab'.repeat(4096));
	await session.waitFor('at most 1,000 characters');
	session.write('ab'.repeat(2048) + '\u{15}hearth');
	await session.waitFor('/hearth');
});
