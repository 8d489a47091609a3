import {closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import process from 'node:process';

/*
Node.js opens /dev/null, for reading and writing, in place of a standard stream that is closed at the start. Without this file `switchboard
installed >&-` would print its list to nobody and succeed.
*/

const output = 1;

/** The major and minor number of /dev/null on Linux. */
const nullDevice = 0x1_03;

/** Shells open /dev/null only for writing. */
const shells: ReadonlySet<string> = new Set(['ash', 'bash', 'busybox', 'dash', 'fish', 'ksh', 'mksh', 'sh', 'zsh']);

/**
Lets writing to standard output fail if it was closed when the program started. The descriptor stays taken: no other file may get its
number.
*/
export function keepClosedOutput(): void {
	if (!isOutputClosed()) {
		return;
	}

	closeSync(output);
	openSync('/dev/null', 'r');
}

function isOutputClosed(): boolean {
	try {
		return process.platform === 'linux' && mayBeOfNode() && isClosedByParent();
	} catch {
		// The parent of another user cannot be read.
		return false;
	}
}

/** True for a /dev/null that is open for reading as well. The link in /proc has the mode of the descriptor. */
const mayBeOfNode = (): boolean =>
	// eslint-disable-next-line no-bitwise -- A mode is made of bits.
	fstatSync(output).rdev === nullDevice && (lstatSync(`/proc/self/fd/${output}`).mode & 0o400) !== 0;

/**
Python and Node.js open /dev/null in the same way for a program whose output they do not want, so the descriptor does not prove anything.
Standard output was closed if the parent's is, or if the parent is a shell with a different output.
*/
function isClosedByParent(): boolean {
	const parent = `/proc/${process.ppid}`;
	return (
		!readdirSync(`${parent}/fd`).includes(String(output)) ||
		(shells.has(readFileSync(`${parent}/comm`, 'utf8').trim()) && readlinkSync(`${parent}/fd/${output}`) !== '/dev/null')
	);
}

const intervalMilliseconds = 200;

/**
Calls back when the shell in which npm runs a program has ended: ending `npx switchboard serve` with SIGTERM ends npm and that shell, which
does not pass the signal on. A program that was not started by npm outlives its parent, as `&` and `nohup` require.
*/
export function watchNpm(end: () => void): void {
	// Windows has no SIGTERM, and its processes never get another parent.
	if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') {
		return;
	}

	const parent = process.ppid;
	const check = setInterval(() => {
		if (process.ppid === parent) {
			return;
		}

		clearInterval(check);
		end();
	}, intervalMilliseconds);
	check.unref();
}

/** The first that systemd passes (sd_listen_fds(3)). */
const firstDescriptor = 3;

type PassedSockets = {
	/** The number of sockets for this process, from `descriptor` on. */
	readonly count: number;
	readonly descriptor: number;
	/** True if there were sockets for another process, such as the shell that started this one. */
	readonly isForAnother: boolean;
};

/**
Returns the sockets that systemd has opened for this process. They are removed from the environment, because child processes have none.
*/
export function takePassedSockets(env: NodeJS.ProcessEnv = process.env): PassedSockets {
	const {LISTEN_PID: processId, LISTEN_FDS: count} = env;
	for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) {
		Reflect.deleteProperty(env, name);
	}

	const number = /^[1-9]\d{0,4}$/.test(count ?? '') ? Number(count) : 0;
	const isOurs = processId === String(process.pid);
	return {count: isOurs ? number : 0, descriptor: firstDescriptor, isForAnother: !isOurs && processId !== undefined && number > 0};
}
