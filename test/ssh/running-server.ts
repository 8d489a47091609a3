import {addTo, path, writeFileSync} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {openHostKey} from '../../source/ssh/host-key.ts';
import {openKeyRing} from '../../source/ssh/key-ring.ts';
import type {SessionPrograms} from '../../source/ssh/run-session.ts';
import {createSshLog} from '../../source/ssh/ssh-log.ts';
import {startSshServer, type SshServerOptions} from '../../source/ssh/ssh-server.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {makeKey} from './ssh-client.ts';

export type RunningServerOptions = Partial<SessionPrograms> &
	Partial<Pick<SshServerOptions, 'describeProfile' | 'isReadOnly' | 'limits'>> & {
		/** What stands before the key in the file, such as `read-only`. */
		readonly options?: string;
	};

const nothing = async (): Promise<number> => 0;

/** Runs the server on loopback, with programs that the test gives, and a key that is let in. */
export async function startServer({openUi = nothing, runCommand = nothing, options = '', limits, ...rest}: RunningServerOptions = {}) {
	const folder = temporaryFolder();
	const key = makeKey(folder, 'ada');
	const keysFile = path.join(folder, 'authorized_keys');
	writeFileSync(keysFile, `${options} ${key.line}\n`, {mode: 0o600});
	const lines: string[] = [];
	const faults: unknown[] = [];
	const keyRing = openKeyRing({file: keysFile, report: addTo(lines), intervalMilliseconds: 20});
	const server = await startSshServer({
		host: '127.0.0.1',
		port: 0,
		hostKey: openHostKey(path.join(folder, 'host_key')),
		keyRing,
		describeProfile: () => '',
		isReadOnly: false,
		...rest,
		limits: {failedTryMilliseconds: 1, ...limits},
		openUi,
		runCommand,
		reportFault: addTo(faults),
		log: createSshLog(addTo(lines)),
	});
	keyRing.watch(server.checkKeys);
	return {
		server,
		port: server.port,
		folder,
		key,
		keysFile,
		log: lines,
		faults,
		async [Symbol.asyncDispose]() {
			keyRing.close();
			await server.close(new SwitchboardError('terminated', 'The server is shutting down.'));
		},
	};
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;
