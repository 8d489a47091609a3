import {process, readFileSync, rmSync, writeFileSync} from '../helpers/node.ts';
import {withFileLock} from '../../source/platform/file-lock.ts';

/*
Takes the lock that it is given whenever it is told to, and tells whether another living process was inside at the same time.
Told to `stay`, it stays inside until it is killed.
*/

const [lockFile = ''] = process.argv.slice(2);
const insideFile = `${lockFile}.inside`;

function isAlive(processId: number): boolean {
	try {
		process.kill(processId, 0);
		return true;
	} catch {
		return false;
	}
}

/** True if nobody else is inside; who was killed there does not count. */
function enter(): boolean {
	try {
		writeFileSync(insideFile, String(process.pid), {flag: 'wx'});
		return true;
	} catch {
		const other = Number(readFileSync(insideFile, 'utf8'));
		writeFileSync(insideFile, String(process.pid));
		return !isAlive(other);
	}
}

async function take(what: unknown): Promise<void> {
	try {
		let isAlone = false;
		await withFileLock(lockFile, () => {
			isAlone = enter();
			if (what === 'stay') {
				// Until it is waited for, a killed process counts as living.
				rmSync(insideFile);
				process.send?.('inside');
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
			}

			// Long enough for another one to come in.
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3);
			isAlone &&= readFileSync(insideFile, 'utf8') === String(process.pid);
			rmSync(insideFile);
		});
		process.send?.(isAlone ? 'alone' : 'not alone');
	} catch (error) {
		process.send?.(`${String(error)} ${JSON.stringify(error)}`);
	}
}

process.on('message', what => {
	void take(what);
});
process.send?.('ready');
