import {after, assert, test} from '../../helpers/node.ts';
import {fingerprintOf, isGoingOn, type OpenSession, startServer} from '../helpers/kit.ts';

const {enter} = await startServer({after});

const isStreamWaiting = ({session}: OpenSession): boolean => session.streams.stdin.isPaused();

for (const {where, opening, typed} of [
	{where: 'a filter', opening: '/', typed: 'ab'},
	{where: 'a list', opening: '', typed: 'jk'},
	{where: 'the palette', opening: ':', typed: 'ab'},
	{where: 'the help', opening: '?', typed: 'jk'},
]) {
	test(`half a megabyte typed at once into ${where} keeps nobody else waiting`, async t => {
		const [typist, other] = await Promise.all([enter(t), enter(t, {fingerprint: fingerprintOf(`beside ${where}`)})]);
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
	const session = await enter(t);
	await session.write('/' + 'ab'.repeat(4096)).waitFor('at most 1,000 characters');
	await session.write('ab'.repeat(2048) + '\u{15}hearth').waitFor('/hearth');
});
