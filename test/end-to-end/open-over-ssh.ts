import {delay, path, process, readdirSync, readFileSync} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';
import {isFresh} from '../tui/helpers/shown.ts';
import {openSlowLine} from './slow-line.ts';
import {startSshServer} from './ssh-server.ts';

export type SessionOptions = {
	readonly service?: {readonly baseAddress: string; readonly apiKey: string} | undefined;
	readonly env?: Readonly<Record<string, string>>;
	/** Makes the shell command that runs the program into the one that the session runs. */
	readonly wrap?: (program: string) => string;
};

/** As to another continent. */
const delayMilliseconds = 150;

export function quoted(word: string): string {
	return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command lines of the processes with this entry in their environment. */
const processesWith = (entry: string): readonly string[] =>
	readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(pid => {
			try {
				const environment = readFileSync(path.join('/proc', pid, 'environ'), 'utf8').split('\0');
				return environment.includes(entry)
					? [`${pid} ${readFileSync(path.join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ')}`]
					: [];
			} catch {
				// It has just ended.
				return [];
			}
		});

/** Starts an SSH server with a home of its own, at the end of a slow line. */
export async function startRemoteMachine() {
	const home = createIsolatedHome();
	const clientHome = createIsolatedHome();
	const server = await startSshServer(home);
	const line = await openSlowLine(server.port);

	const processes = (): readonly string[] => processesWith(`XDG_DATA_HOME=${home.env['XDG_DATA_HOME']!}`);

	return {
		home,
		line,
		/** Opens an ssh session with the built program in it, in a terminal of 80 by 24. Once it shows its list, each direction of the line takes 150 ms. */
		async open({service, env = {}, wrap = (command: string) => `exec ${command}`}: SessionOptions = {}) {
			// All that is taken from the shell is what says where the session runs.
			const variables = ['SSH_CONNECTION', 'SSH_TTY', 'TERM', 'TMUX', 'TMUX_PANE'].map(name => `"${name}=$${name}"`);
			const target = service === undefined ? {} : {SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
			const assignments = Object.entries({...home.env, ...target, ...env})
				.filter(([name]) => name !== 'TERM')
				.map(([name, value]) => quoted(`${name}=${value}`));
			const program = ['env', '-i', ...variables, ...assignments, quoted(process.execPath), quoted(programFile)].join(' ');
			// The handshake takes seconds on such a line, and is not what is tested.
			line.delay(0);
			const terminal = openPseudoTerminal({command: 'ssh', args: [...server.clientWords(line.port), wrap(program)], env: clientHome.env});
			try {
				await terminal.waitFor(isFresh);
			} catch (error) {
				await terminal[Symbol.asyncDispose]();
				throw error;
			}

			line.delay(delayMilliseconds);
			return terminal;
		},
		processes,
		/** Waits until there are none; throws after the deadline, listing them. */
		async waitForNoProcess(deadlineMilliseconds: number) {
			const deadline = performance.now() + deadlineMilliseconds;
			for (let found = processes(); found.length > 0; found = processes()) {
				if (performance.now() > deadline) {
					throw new Error(`Still there after ${deadlineMilliseconds} ms:\n${found.join('\n')}`);
				}

				await delay(20);
			}
		},
		async [Symbol.asyncDispose]() {
			await line[Symbol.asyncDispose]();
			await server[Symbol.asyncDispose]();
		},
	};
}

export type RemoteMachine = Awaited<ReturnType<typeof startRemoteMachine>>;
