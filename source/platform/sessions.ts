import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import process from 'node:process';
import {hasErrorCode} from './private-files.ts';

/* Names of sessions, by which another process can see whether one still runs. A process may have many, over SSH. */

/** The sessions of this process. */
const running = new Set<string>();
let count = 0;

/** The beginning of a session's name: this machine and a process, with its start, as numbers are given again. */
const nameOf = (processId: number): string =>
	[createHash('sha256').update(hostname()).digest('hex').slice(0, 8), processId, startOf(processId)].join('-');

/** When a process started, on the clock of the system; empty where that is not known. */
const startOf = (processId: number): string => {
	try {
		// Its own name, in parentheses, may have any characters (man proc_pid_stat, field 22).
		return readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19] ?? '';
	} catch {
		return '';
	}
};

/** Begins a session; its name tells it from all others. */
export function beginSession(): {readonly name: string; end(): void} {
	const name = `${nameOf(process.pid)}-${++count}`;
	running.add(name);
	return {
		name,
		end() {
			running.delete(name);
		},
	};
}

/** Tells whether a session runs. Those of another machine that shares the folders are taken to run: they are not known here. */
export function isSessionRunning(name: string): boolean {
	const [machine, text, , number] = name.split('-');
	const processId = Number(text);
	if (number === undefined || !(processId > 0)) {
		return false;
	}

	if (machine !== nameOf(processId).split('-', 1)[0]) {
		return true;
	}

	if (processId === process.pid) {
		return running.has(name);
	}

	try {
		process.kill(processId, 0);
	} catch (error) {
		if (!hasErrorCode(error, 'EPERM')) {
			return false;
		}
	}

	return name.startsWith(`${nameOf(processId)}-`);
}
