import {assert, test} from '../../helpers/node.ts';
import {startServer, waitUntil} from '../helpers/kit.ts';

test('somebody who comes over SSH sees the screens of their profile, and leaves with q', async t => {
	const {open} = await startServer(t);
	const session = open();
	const lines = await session.waitFor('live');
	assert.match(lines[0]!, /Switchboard {2}. home · 127\.0\.0\.1/);
	assert.equal(session.isAlternateScreen, true);
	session.press('q');
	assert.equal(await session.exitCode, 0);
	await waitUntil(() => !session.isAlternateScreen);
});
