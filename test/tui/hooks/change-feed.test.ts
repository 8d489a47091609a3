import {assert, test, type TestContext} from '../../helpers/node.ts';
import {QueryClient} from '@tanstack/react-query';
import {createChangeFeed} from '../../../source/tui/hooks/change-feed.ts';

test('a stream is silent after two heartbeats that did not come, until something is heard', (t: TestContext) => {
	t.mock.timers.enable({apis: ['setTimeout', 'Date'], now: 1_000_000});
	const closing = new AbortController();
	let listener: {onOpen(): void; onHeard?(): void} | undefined;
	const feed = createChangeFeed({
		client: {
			async readChanges(listening) {
				listener = listening;
				return Promise.withResolvers<never>().promise;
			},
		},
		queryClient: new QueryClient(),
		outside: {isBetween: () => false, forgetVersions: () => undefined},
		closing: closing.signal,
	});
	void feed.follow();
	listener!.onHeard!();
	listener!.onOpen();
	t.mock.timers.tick(15_000);
	listener!.onHeard!();
	t.mock.timers.tick(29_999);
	assert.equal(feed.silentSince(), undefined);
	t.mock.timers.tick(1);
	assert.equal(feed.silentSince(), 1_015_000);
	listener!.onHeard!();
	assert.equal(feed.silentSince(), undefined);
	t.mock.timers.tick(30_000);
	assert.equal(feed.silentSince(), 1_045_000);
	closing.abort();
	assert.equal(feed.silentSince(), undefined);
});
