import {
	closeSync,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
} from 'node:fs';
import process from 'node:process';

/*
Node.js opens /dev/null, for reading and writing, in the place of a standard stream that is closed when it starts. Without this file
`switchboard installed >&-` would print its list to nobody and succeed.
*/

const output = 1;

/** The major and minor number of /dev/null on Linux. */
const nullDevice = 0x1_03;

/** They open /dev/null for writing alone where they are told to. */
const shells: ReadonlySet<string> = new Set(['ash', 'bash', 'busybox', 'dash', 'fish', 'ksh', 'mksh', 'sh', 'zsh']);

/** True for a /dev/null that can be read as well. The link in /proc has the mode of the descriptor. */
const mayBeOfNode = (): boolean =>
	// eslint-disable-next-line no-bitwise -- A mode is made of bits.
	fstatSync(output).rdev === nullDevice && (lstatSync(`/proc/self/fd/${output}`).mode & 0o400) !== 0;

/**
Python and Node.js open /dev/null the same way for a program whose output they do not want, so the descriptor alone proves nothing.
It was closed if that of the parent is, or if the parent is a shell with an output of its own.
*/
const isClosedByParent = (): boolean => {
	const parent = `/proc/${process.ppid}`;
	return !readdirSync(`${parent}/fd`).includes(String(output))
		|| (shells.has(readFileSync(`${parent}/comm`, 'utf8').trim()) && readlinkSync(`${parent}/fd/${output}`) !== '/dev/null');
};

const isOutputClosed = (): boolean => {
	try {
		return process.platform === 'linux' && mayBeOfNode() && isClosedByParent();
	} catch {
		// Of a parent of another user nothing is known.
		return false;
	}
};

/** Lets writing to standard output fail if it was closed when the program started. The descriptor stays taken: no other file may get its number. */
export const keepClosedOutput = (): void => {
	if (!isOutputClosed()) {
		return;
	}

	closeSync(output);
	openSync('/dev/null', 'r');
};
