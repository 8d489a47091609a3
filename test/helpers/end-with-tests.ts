import process from 'node:process';
import {after} from 'node:test';

/*
Ends the process of a test file some time after its last test: a test that was given up may have left open a terminal, for example, which
would keep the whole run from ending. Node's own `--test-force-exit` exits before a full pipe has taken the results of the last tests.
*/

const graceMilliseconds = 10_000;

after(() => {
	setTimeout(() => {
		// eslint-disable-next-line unicorn/no-process-exit -- The tests are over; their results are what is reported.
		process.exit();
	}, graceMilliseconds).unref();
});
