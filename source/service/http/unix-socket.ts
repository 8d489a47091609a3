import {Buffer} from 'node:buffer';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {
	type BigIntStats,
	linkSync,
	lstatSync,
	rmSync,
	statSync,
} from 'node:fs';
import {connect, type Server} from 'node:net';
import path from 'node:path';
import process from 'node:process';
import {reasonOf, SwitchboardError} from '../../interface/errors.ts';
import {hasErrorCode} from '../../platform/private-files.ts';

/** What fits into an address (unix(7) of Linux; macOS has 4 bytes less), without the zero at its end. */
const longestPathBytes = process.platform === 'linux' ? 107 : 103;

const ownerOnly = 0o177;

const refuse = (message: string, nextStep = 'Choose another path with --socket.', cause?: unknown): never => {
	throw new SwitchboardError('usage', message, {nextStep, field: 'socket', cause});
};

const lookAt = (file: string): BigIntStats | undefined => lstatSync(file, {bigint: true, throwIfNoEntry: false});

const isSame = (first: BigIntStats, second: BigIntStats | undefined): boolean => first.dev === second?.dev && first.ino === second.ino;

/** True unless it is certain that nobody listens. */
const isAnswered = async (socketPath: string): Promise<boolean> => new Promise(resolve => {
	const probe = connect(socketPath);
	probe.once('connect', () => {
		probe.destroy();
		resolve(true);
	});
	probe.once('error', error => {
		resolve(!hasErrorCode(error, 'ECONNREFUSED', 'ENOENT'));
	});
});

const refuseUsed = (socketPath: string): never => refuse(`Another program already listens on ${socketPath}.`);

/** Removes the socket that a killed service has left. Whatever else is there stays: it is refused. */
const removeStale = async (socketPath: string): Promise<void> => {
	const found = lookAt(socketPath);
	if (found === undefined) {
		return;
	}

	if (!found.isSocket()) {
		refuse(`${socketPath} exists and is not a socket.`);
	}

	if (found.uid !== BigInt(process.getuid!())) {
		refuse(`${socketPath} is the socket of another user.`);
	}

	if (await isAnswered(socketPath)) {
		refuseUsed(socketPath);
	}

	// Another program may have put its own socket there meanwhile, even with the same inode number.
	const current = lookAt(socketPath);
	if (isSame(found, current) && found.ctimeNs === current?.ctimeNs) {
		rmSync(socketPath, {force: true});
	}
};

const checkPath = (socketPath: string, bindPath: string): void => {
	if (process.platform === 'win32') {
		refuse('--socket does not work on Windows.', 'Use --host and --port.');
	}

	const folder = path.dirname(socketPath);
	const length = Buffer.byteLength(socketPath);
	const maximum = longestPathBytes - Math.max(0, Buffer.byteLength(bindPath) - length);
	if (length > maximum) {
		refuse(`The path ${socketPath} is too long for a socket.`, `Choose one with --socket that has ${maximum} bytes at most; this one has ${length}.`);
	}

	if (statSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) {
		refuse(`The folder ${folder} does not exist.`, 'Create it, or choose another path with --socket.');
	}
};

/** Binds while nobody else may use what is created: a mode that is set afterwards would come too late. */
const bindPrivately = async (server: Server, socketPath: string): Promise<void> => {
	const earlier = process.umask(ownerOnly);
	try {
		server.listen(socketPath);
	} finally {
		process.umask(earlier);
	}

	await once(server, 'listening');
};

/**
Listens on a Unix socket of mode 0600.

@param socketPath - absolute.
@returns how to remove it, unless another one has taken its place; to be called while the server still listens.
@throws SwitchboardError `usage` if that is not possible: there is a file, a link, a socket of another user, or one that is answered.
*/
export const listenOnUnixSocket = async (server: Server, socketPath: string): Promise<() => void> => {
	// When the server closes, Node.js removes the path that it was given, even if it is someone else's by then. So it is never given the real one.
	const bindPath = path.join(path.dirname(socketPath), `.${randomBytes(4).toString('hex')}`);
	checkPath(socketPath, bindPath);
	try {
		await removeStale(socketPath);
		await bindPrivately(server, bindPath);
		// Unlike renaming, this replaces nothing.
		linkSync(bindPath, socketPath);
		rmSync(bindPath);
	} catch (error) {
		server.close();
		if (hasErrorCode(error, 'EEXIST')) {
			refuseUsed(socketPath);
		}

		throw error instanceof SwitchboardError ? error : refuse(`Cannot listen on ${socketPath}: ${reasonOf(error)}.`, undefined, error);
	}

	// Its inode number is not reused while the server listens. Its mode may change.
	const own = lookAt(socketPath)!;
	return () => {
		if (isSame(own, lookAt(socketPath))) {
			rmSync(socketPath, {force: true});
		}
	};
};
