import {readdirSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {after, afterEach} from 'node:test';

/*
Goes into each file of tests. It ends the process some time after the last test, as a test that was given up may have left open a terminal, for
example, which would keep the whole run from ending; Node's own `--test-force-exit` exits before a full pipe has taken the results of the last
tests. A test that runs into its limit ends its file: those after it would mostly wait for the same. Programs that are still running end with it.
*/

const graceMilliseconds = 10_000;

function endIn(milliseconds: number): NodeJS.Timeout {
	return setTimeout(() => {
		// eslint-disable-next-line unicorn/no-process-exit -- The tests are over; their results are what is reported.
		process.exit();
	}, milliseconds);
}

afterEach(test => {
	const {error} = test as {readonly error?: {readonly failureType?: string} | null};
	if (error?.failureType === 'testTimeoutFailure') {
		process.exitCode = 1;
		// The result is on its way to the runner.
		endIn(1000);
	}
});

after(() => {
	endIn(graceMilliseconds).unref();
});

/** Lists the processes that this one has started, themselves or through others, but those that left its session. */
function runningChildren(): readonly number[] {
	const found = [process.pid];
	const stats = readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(name => {
			try {
				const text = readFileSync(`/proc/${name}/stat`, 'utf8');
				const [, parent, , session] = text
					.slice(text.lastIndexOf(')') + 2)
					.split(' ')
					.map(Number);
				return [{id: Number(name), parent, session}];
			} catch {
				return [];
			}
		});
	const ownSession = stats.find(({id}) => id === process.pid)?.session;
	for (const id of found) {
		found.push(...stats.filter(({parent, session}) => parent === id && session === ownSession).map(child => child.id));
	}

	return found.slice(1);
}

if (process.platform === 'linux') {
	process.once('exit', () => {
		for (const id of runningChildren()) {
			try {
				process.kill(id, 'SIGKILL');
			} catch {}
		}
	});
}
