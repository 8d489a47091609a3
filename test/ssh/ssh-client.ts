import {once, path, readFileSync, text} from '../helpers/node.ts';
import {execFileSync, spawn, type ChildProcessWithoutNullStreams} from 'node:child_process';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';

/** A key pair of a person. */
export type KeyPair = {
	readonly file: string;
	/** The line for `authorized_keys`. */
	readonly line: string;
};

/** Makes a key pair with `ssh-keygen`. */
export function makeKey(folder: string, name: string, ...words: readonly string[]): KeyPair {
	const file = path.join(folder, name);
	execFileSync('ssh-keygen', ['-q', ...(words.length === 0 ? ['-t', 'ed25519'] : words), '-N', '', '-C', name, '-f', file]);
	return {file, line: readFileSync(`${file}.pub`, 'utf8').trim()};
}

export type ClientOptions = {
	readonly port: number;
	readonly key?: Pick<KeyPair, 'file'> | undefined;
	/** More options of ssh, before the host. */
	readonly words?: readonly string[] | undefined;
	readonly env?: Readonly<Record<string, string>> | undefined;
	/** Another client than the system's. */
	readonly program?: string | undefined;
};

const home = createIsolatedHome();

/** The words of an OpenSSH client that knows nothing but what it is given. */
export function clientWords({port, key, words = []}: ClientOptions): readonly string[] {
	return [
		'-F',
		'none',
		'-p',
		String(port),
		...(key === undefined ? [] : ['-i', key.file]),
		'-o',
		'IdentitiesOnly=yes',
		'-o',
		'StrictHostKeyChecking=no',
		'-o',
		'UserKnownHostsFile=/dev/null',
		'-o',
		'BatchMode=yes',
		'-o',
		'LogLevel=ERROR',
		...words,
		'somebody@127.0.0.1',
	];
}

/** Starts an OpenSSH client with pipes. */
export function startClient(options: ClientOptions, command: readonly string[]): ChildProcessWithoutNullStreams {
	const child = spawn(options.program ?? 'ssh', [...clientWords(options), ...command], {env: {...home.env, ...options.env}, stdio: 'pipe'});
	child.stdin.on('error', () => undefined);
	return child;
}

export type ClientResult = {readonly stdout: string; readonly stderr: string; readonly exitCode: number | null};

/** Runs an OpenSSH client until it ends. */
export async function runClient(
	options: ClientOptions,
	command: readonly string[],
	stdin: string | Uint8Array = '',
): Promise<ClientResult> {
	return runToItsEnd(startClient(options, command), stdin);
}

async function runToItsEnd(child: ChildProcessWithoutNullStreams, stdin: string | Uint8Array): Promise<ClientResult> {
	child.stdin.end(stdin);
	const [stdout, stderr, [exitCode]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'close') as Promise<[number | null]>,
	]);
	return {stdout, stderr, exitCode};
}

/** Runs Dropbear's client with a key of OpenSSH until it ends. */
export async function runDropbear(
	{port, key}: {readonly port: number; readonly key: KeyPair},
	command: readonly string[],
	stdin: string,
): Promise<ClientResult> {
	const file = `${key.file}.dropbear`;
	execFileSync('dropbearconvert', ['openssh', 'dropbear', key.file, file], {stdio: 'ignore'});
	// `-y` twice takes any host key.
	const child = spawn('dbclient', ['-y', '-y', '-i', file, '-p', String(port), 'somebody@127.0.0.1', ...command], {
		env: home.env,
		stdio: 'pipe',
	});
	child.stdin.on('error', () => undefined);
	return runToItsEnd(child, stdin);
}

/** Opens an OpenSSH client in a pseudo-terminal. */
export function openClient(
	options: ClientOptions & {readonly columns?: number; readonly rows?: number},
	command: readonly string[] = [],
): PseudoTerminal {
	return openPseudoTerminal({
		command: 'ssh',
		args: [...clientWords(options), ...command],
		env: {...home.env, ...options.env},
		columns: options.columns,
		rows: options.rows,
	});
}
