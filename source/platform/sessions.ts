import {createHash} from 'node:crypto';
import {hostname} from 'node:os';
import process from 'node:process';
import {hasErrorCode} from './private-files.ts';

/*
Names of sessions, which tell whether a session still runs: only the session itself can take back its changes while it does. A name has the
machine, the process with its start, and a number in it.
*/

/** The sessions of this process; over SSH there may be many. */
const running = new Set<string>();
let count = 0;

/** Several machines may share the folder of a log. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const start = Math.round(Date.now() - process.uptime() * 1000).toString(36);

/** Begins a session and returns its name. */
export function beginSession(): string {
	const name = `${machine}-${process.pid}-${start}-${++count}`;
	running.add(name);
	return name;
}

export function endSession(name: string): void {
	running.delete(name);
}

/** Tells whether a session may still run. The processes of another machine are not known here, so its sessions count as running. */
export function isSessionRunning(name: string): boolean {
	const [host, pid, itsStart] = name.split('-');
	if (host !== machine || !/^[1-9]\d*$/.test(pid ?? '')) {
		return true;
	}

	if (Number(pid) === process.pid) {
		return itsStart === start && running.has(name);
	}

	try {
		process.kill(Number(pid), 0);
		return true;
	} catch (error) {
		return hasErrorCode(error, 'EPERM');
	}
}
