import {assert, process, test} from '../../helpers/node.ts';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {startServer, type Server} from '../helpers/remote.ts';
import {fingerprintOf, waitUntil} from '../helpers/kit.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const listenerCounts = (): Readonly<Record<string, number>> =>
	Object.fromEntries(process.eventNames().map(name => [String(name), process.listenerCount(name)]));

const timerCount = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout' || name === 'Immediate').length;

/** Opens ten sessions at once and ends them in as many ways as there are. */
const openTen = async ({open}: Server): Promise<void> => {
	const sessions = Array.from({length: 10}, (_, index) => open({fingerprint: fingerprintOf(String(index))}));
	await Promise.all(sessions.map(async session => session.waitFor('live')));
	for (const [index, session] of sessions.entries()) {
		session.press('j', 'space', '?');
		if (index % 3 === 0) {
			session.cut();
		} else if (index % 3 === 1) {
			session.end(new SwitchboardError('terminated', 'The server is being stopped.'));
		} else {
			session.press('ctrl+c');
		}
	}

	const codes = await Promise.all(sessions.map(async session => session.exitCode));
	assert.deepEqual(codes, [129, 143, 0, 129, 143, 0, 129, 143, 0, 129]);
};

test('a hundred sessions leave nothing behind: no listener of the process, no timer, no memory', async t => {
	const server = await startServer(t);
	const before = listenerCounts();
	await openTen(server);
	await openTen(server);
	server.forget();
	collect();
	const {heapUsed} = process.memoryUsage();
	const timers = timerCount();
	for (let round = 0; round < 8; round++) {
		await openTen(server);
	}

	assert.deepEqual(listenerCounts(), before);
	// Messages disappear by timers that hold nothing up.
	await waitUntil(() => timerCount() <= timers);
	server.forget();
	await waitUntil(() => {
		collect();
		return process.memoryUsage().heapUsed - heapUsed < 80 * 50_000;
	});
});

test('a session listens to no signal, and changes nothing of the process', async t => {
	const {open} = await startServer(t);
	const before = listenerCounts();
	const {write} = process.stderr;
	const {exitCode, env} = process;
	const envBefore = {...env};
	const session = open();
	await session.waitFor('live');
	assert.deepEqual(listenerCounts(), before);

	assert.equal(process.stderr.write, write);
	session.press('q');
	assert.equal(await session.exitCode, 0);
	assert.deepEqual(listenerCounts(), before);
	assert.equal(process.exitCode, exitCode);
	assert.deepEqual({...process.env}, envBefore);
});
