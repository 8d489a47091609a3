import {Buffer} from 'node:buffer';
import {createPrivateKey, randomBytes, X509Certificate} from 'node:crypto';
import {once} from 'node:events';
import {type BigIntStats, linkSync, lstatSync, readFileSync, readlinkSync, rmSync, statSync} from 'node:fs';
import {type AddressInfo, connect, isIPv6, type Server} from 'node:net';
import path from 'node:path';
import process from 'node:process';
import {createSecureContext} from 'node:tls';
import type {FastifyInstance} from 'fastify';
import {reasonOf, SwitchboardError, toListenError} from '../../interface/errors.ts';
import {explainFileError, ownerName} from '../../platform/file-owner.ts';
import {hasErrorCode} from '../../platform/private-files.ts';

export type Tls = {readonly cert: string | Buffer; readonly key: string | Buffer};

/**
With TLS 1.2 too only ciphers that encrypt and authenticate in one (AEAD) and keep past traffic secret if the key is stolen later: no CBC, and
no key exchange by RSA.
*/
const ciphers = 'ECDHE+AESGCM:ECDHE+CHACHA20';

/**
Returns the TLS options for a certificate. A renewed certificate needs all of them again, because its context takes none from the former
one.
*/
export function secureOptions(tls: Tls) {
	return {...tls, ciphers, minVersion: 'TLSv1.2'} as const;
}

/**
Refuses a certificate and a key that clients could not connect with. OpenSSL accepts a key of another type than the certificate's, and then
fails every connection.

@throws SwitchboardError `usage`
*/
export function checkTls(tls: Tls): void {
	const certificate = parsePem('The certificate', 'CERTIFICATE', () => new X509Certificate(tls.cert));
	if (/\bENCRYPTED\b/.test(String(tls.key))) {
		throw unusableTls('The key of the certificate is encrypted.', 'Decrypt it first, as with: openssl pkey -in KEY -out NEWKEY');
	}

	const key = parsePem('The key of the certificate', 'PRIVATE KEY', () => createPrivateKey(tls.key));
	if (!certificate.checkPrivateKey(key)) {
		throw unusableTls(
			'The key does not belong to the certificate.',
			'Use the key that the certificate was made for. In the file of the certificate, it must be the first one, before those of its authorities.',
		);
	}

	try {
		createSecureContext(secureOptions(tls));
	} catch (error) {
		const {reason = reasonOf(error)} = error as {readonly reason?: string};
		throw unusableTls(`The certificate and its key cannot be used: ${reason}.`, 'Make new ones.', error);
	}
}

function parsePem<Parsed>(name: string, label: string, parse: () => Parsed): Parsed {
	try {
		return parse();
	} catch (error) {
		const nextStep = `Its file must be in PEM format, with “-----BEGIN ${label}-----” or a similar line.`;
		throw unusableTls(`${name} is not valid.`, nextStep, error);
	}
}

const unusableTls = (message: string, nextStep: string, cause?: unknown): SwitchboardError =>
	new SwitchboardError('usage', message, {nextStep, field: 'tls', cause});

/** An address of this machine (port 0 means any free port), a Unix socket, or a socket that is open already. */
export type ListenTarget = {readonly host: string; readonly port: number} | {readonly socketPath: string} | {readonly descriptor: number};

type Scheme = 'http' | 'https';

/** Returns the address of the service for clients, with an IPv6 address in brackets (RFC 3986, section 3.2.2). */
export function formatBaseAddress(scheme: Scheme, host: string, port: number): string {
	return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The size of the path in an address (unix(7) of Linux; macOS has 4 bytes less), without the zero at its end. */
const longestPathBytes = process.platform === 'linux' ? 107 : 103;

const ownerOnly = 0o177;

/**
@returns `remove` removes the files that were created to listen; to be called before the server is closed.
@throws SwitchboardError `usage` if the service cannot listen there.
*/
export async function listen(app: FastifyInstance, target: ListenTarget, scheme: Scheme) {
	const remove = (): void => undefined;
	if ('host' in target) {
		const {host, port} = target;
		try {
			await app.listen({host, port});
		} catch (error) {
			throw toListenError(error, host, port);
		}

		return {baseAddress: formatBaseAddress(scheme, host, (app.server.address() as AddressInfo).port), remove};
	}

	// Fastify listens only on addresses and paths, and later than requested.
	await app.ready();
	if ('socketPath' in target) {
		return {baseAddress: `unix:${target.socketPath}`, remove: await listenOnUnixSocket(app.server, target.socketPath)};
	}

	const passed = await listenOnPassedSocket(app.server, target.descriptor);
	return {baseAddress: 'socketPath' in passed ? `unix:${passed.socketPath}` : formatBaseAddress(scheme, passed.host, passed.port), remove};
}

/**
Listens on a Unix socket of mode 0600.

@param socketPath - absolute.
@returns a function that removes it, unless another socket has taken its place; to be called while the server still listens.
@throws SwitchboardError `usage` if that is not possible: there is a file, a link, another user's socket, or a socket that is in use.
*/
async function listenOnUnixSocket(server: Server, socketPath: string): Promise<() => void> {
	// On closing, Node.js removes the path that it was given, even if it belongs to someone else by then. So Node.js never gets the real
	// path.
	const bindPath = path.join(path.dirname(socketPath), `.${randomBytes(4).toString('hex')}`);
	checkPath(socketPath, bindPath);
	try {
		await removeStale(socketPath);
		await bindPrivately(server, bindPath);
		// Unlike renaming, this does not replace anything.
		linkSync(bindPath, socketPath);
		rmSync(bindPath);
	} catch (error) {
		server.close();
		if (hasErrorCode(error, 'EEXIST')) {
			refuseUsed(socketPath);
		}

		throw error instanceof SwitchboardError
			? error
			: refuse(`Cannot listen on ${socketPath}: ${explainFileError(error, socketPath).reason}.`, undefined, error);
	}

	// Its inode number is not reused while the server listens. Its mode may change.
	const own = lookAt(socketPath)!;
	return () => {
		if (isSame(own, lookAt(socketPath))) {
			rmSync(socketPath, {force: true});
		}
	};
}

function checkPath(socketPath: string, bindPath: string): void {
	if (process.platform === 'win32') {
		refuse('--socket does not work on Windows.', 'Use --host and --port.');
	}

	const folder = path.dirname(socketPath);
	const length = Buffer.byteLength(socketPath);
	const maximum = longestPathBytes - Math.max(0, Buffer.byteLength(bindPath) - length);
	if (length > maximum) {
		refuse(
			`The path ${socketPath} is too long for a socket.`,
			`Choose one with --socket that has ${maximum} bytes at most; this one has ${length}.`,
		);
	}

	if (statSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) {
		refuse(`The folder ${folder} does not exist.`, 'Create it, or choose another path with --socket.');
	}
}

function refuse(message: string, nextStep = 'Choose another path with --socket.', cause?: unknown): never {
	throw new SwitchboardError('usage', message, {nextStep, field: 'socket', cause});
}

/** Removes the socket of a killed service. Anything else stays, and is refused. */
async function removeStale(socketPath: string): Promise<void> {
	const found = lookAt(socketPath);
	if (found === undefined) {
		return;
	}

	if (!found.isSocket()) {
		refuse(`${socketPath} exists and is not a socket.`);
	}

	if (found.uid !== BigInt(process.getuid!())) {
		refuse(`${socketPath} is the socket of ${ownerName(Number(found.uid))}.`);
	}

	if (await isAnswered(socketPath)) {
		refuseUsed(socketPath);
	}

	// Another program may have put its own socket there meanwhile, even with the same inode number.
	const current = lookAt(socketPath);
	if (isSame(found, current) && found.ctimeNs === current?.ctimeNs) {
		rmSync(socketPath, {force: true});
	}
}

const lookAt = (file: string): BigIntStats | undefined => lstatSync(file, {bigint: true, throwIfNoEntry: false});

/** True unless nobody listens for certain. */
const isAnswered = async (socketPath: string): Promise<boolean> =>
	new Promise(resolve => {
		const probe = connect(socketPath);
		probe.once('connect', () => {
			probe.destroy();
			resolve(true);
		});
		probe.once('error', error => resolve(!hasErrorCode(error, 'ECONNREFUSED', 'ENOENT')));
	});

const refuseUsed = (socketPath: string): never => refuse(`Another program already listens on ${socketPath}.`);

const isSame = (first: BigIntStats, second: BigIntStats | undefined): boolean => first.dev === second?.dev && first.ino === second.ino;

/** Binds while nobody else may use the new socket: a mode that is set afterwards would come too late. */
async function bindPrivately(server: Server, socketPath: string): Promise<void> {
	const earlier = process.umask(ownerOnly);
	try {
		server.listen(socketPath);
	} finally {
		process.umask(earlier);
	}

	await once(server, 'listening');
}

/**
Listens on a socket that is open already, as systemd passes it.

@returns its path for a Unix socket, else its address.
@throws SwitchboardError `usage` if that is not possible.
*/
async function listenOnPassedSocket(
	server: Server,
	descriptor: number,
): Promise<{readonly socketPath: string} | {readonly host: string; readonly port: number}> {
	try {
		server.listen({fd: descriptor});
		await once(server, 'listening');
	} catch (error) {
		throw new SwitchboardError('usage', `Cannot listen on the socket that systemd has passed: ${reasonOf(error)}.`, {
			nextStep: 'The socket unit needs one ListenStream= and no Accept=yes.',
			cause: error,
		});
	}

	const address = server.address();
	return address === null || typeof address === 'string'
		? {socketPath: address ?? pathOf(descriptor)}
		: {host: address.address, port: address.port};
}

/**
Returns the path of a Unix socket, which Node.js does not know (proc_pid_fd(5), proc_pid_net(5)): Num RefCount Protocol Flags Type St Inode
Path.
*/
function pathOf(descriptor: number): string {
	const inode = /^socket:\[(?<inode>\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.groups!['inode'];
	const line = readFileSync('/proc/self/net/unix', 'utf8')
		.split('\n')
		.find(text => text.split(/ +/, 7)[6] === inode);
	return /^(?:\S+ +){7}(?<path>\S.*)$/.exec(line ?? '')?.groups!['path'] ?? '';
}
