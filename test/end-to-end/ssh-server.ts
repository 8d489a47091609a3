import {delay, existsSync, mkdir, net, path, process, readFile, writeFile} from '../helpers/node.ts';
import {execFileSync, spawn, type ChildProcess} from 'node:child_process';
import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {freePort} from '../helpers/listen.ts';

const sshdFile = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(file => existsSync(file));

/** Why the tests of SSH are skipped; `undefined` if they are not. */
export const whyNoSsh =
	sshdFile === undefined
		? 'there is no sshd on this machine'
		: process.getuid?.() === 0
			? undefined
			: 'sshd needs root here to give a terminal';

const isListening = async (port: number): Promise<boolean> =>
	new Promise(resolve => {
		const socket = net.connect(port, '127.0.0.1', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});

/** Runs a real sshd on loopback with its own keys and configuration. */
export async function startSshServer(home: IsolatedHome) {
	const folder = path.join(home.folder, 'ssh');
	await mkdir(folder, {mode: 0o700});
	await mkdir('/run/sshd', {recursive: true, mode: 0o755});
	const hostKey = path.join(folder, 'host');
	const clientKey = path.join(folder, 'client');
	for (const file of [hostKey, clientKey]) {
		execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
	}

	const authorized = path.join(folder, 'authorized');
	await writeFile(authorized, await readFile(`${clientKey}.pub`), {mode: 0o600});
	const configuration = path.join(folder, 'config');
	const start = async (): Promise<{readonly port: number; readonly server: ChildProcess}> => {
		const port = await freePort();
		await writeFile(
			configuration,
			[
				`Port ${port}`,
				'ListenAddress 127.0.0.1',
				`HostKey ${hostKey}`,
				`AuthorizedKeysFile ${authorized}`,
				'PidFile none',
				'UsePAM no',
				'StrictModes no',
				'PasswordAuthentication no',
				'PermitRootLogin yes',
				'AcceptEnv *',
				'',
			].join('\n'),
		);
		const server = spawn(sshdFile!, ['-D', '-e', '-f', configuration], {stdio: 'ignore'});
		for (let tries = 0; server.exitCode === null; tries++) {
			if ((await isListening(port)) && server.exitCode === null) {
				return {port, server};
			}

			if (tries > 200) {
				throw new Error('sshd does not listen');
			}

			await delay(50);
		}

		throw new Error(`sshd ended with exit code ${server.exitCode}`);
	};

	let started: Awaited<ReturnType<typeof start>> | undefined;
	for (let tries = 1; started === undefined; tries++) {
		try {
			started = await start();
		} catch (error) {
			// Another program may have taken the port meanwhile.
			if (tries === 3) {
				throw error;
			}
		}
	}

	const {port, server} = started;
	return {
		port,
		/** The words of an ssh command that opens a terminal on the server, through this port. */
		clientWords: (throughPort: number) => [
			'-tt',
			'-F',
			'none',
			'-i',
			clientKey,
			'-p',
			String(throughPort),
			'-o',
			'StrictHostKeyChecking=no',
			'-o',
			`UserKnownHostsFile=${path.join(folder, 'known')}`,
			'-o',
			'LogLevel=ERROR',
			// Newer clients hide the rhythm of the keys behind packets that answer nothing.
			'-o',
			'IgnoreUnknown=ObscureKeystrokeTiming',
			'-o',
			'ObscureKeystrokeTiming=no',
			`${process.env['USER'] ?? 'root'}@127.0.0.1`,
		],
		async [Symbol.asyncDispose]() {
			server.kill();
		},
	};
}
