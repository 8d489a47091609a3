import {assert, test, type TestContext} from '../helpers/node.ts';
import {startTimeLimit} from '../../source/commands/context.ts';

test('the clock of --timeout stands still until the last of several uploads has ended', async (t: TestContext) => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const limit = startTimeLimit(10_000);
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const uploads = [first, second].map(async ({promise}) => limit.pause(async () => promise));
	first.resolve();
	await uploads[0];
	t.mock.timers.tick(60_000);
	assert.equal(limit.signal.aborted, false);
	second.resolve();
	await uploads[1];
	t.mock.timers.tick(60_000);
	assert.equal(limit.signal.aborted, true);
	limit.end();
});
