import {assert, once, process, spawn, test} from '../helpers/node.ts';
import {beginSession, endSession, isSessionRunning} from '../../source/platform/sessions.ts';

test('a session runs until it ends or its process does; one of another machine counts as running', async () => {
	const [first, second] = [beginSession(), beginSession()];
	assert.deepEqual([first !== second, isSessionRunning(first), isSessionRunning(second)], [true, true, true]);
	endSession(first);
	assert.deepEqual([isSessionRunning(first), isSessionRunning(second)], [false, true]);

	const [machine, pid, start] = second.split('-') as [string, string, string];
	assert.equal(pid, String(process.pid));
	assert.equal(isSessionRunning(`${machine}-${pid}-earlier-1`), false, 'an earlier process had the same number');
	assert.equal(isSessionRunning(`${machine}-${process.ppid}-${start}-1`), true);
	const child = spawn(process.execPath, ['-e', '0']);
	await once(child, 'exit');
	assert.equal(isSessionRunning(`${machine}-${child.pid}-${start}-1`), false);
	assert.equal(isSessionRunning(`elsewhere-${child.pid}-${start}-1`), true);
	assert.equal(isSessionRunning('whatever else stands there'), true);
});
