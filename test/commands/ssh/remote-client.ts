import {Buffer} from 'node:buffer';
import {Duplex, Writable} from 'node:stream';
import {runRemoteCommand} from '../../../source/commands/run-remote-command.ts';
import {SwitchboardError, type ErrorKind} from '../../../source/interface/errors.ts';
import type {OutputStream} from '../../../source/platform/standard-streams.ts';
import type {RemoteSession, ServerFolders} from '../../../source/settings/remote-session.ts';
import {Reader} from '../../helpers/reader.ts';
import {fingerprintOf} from '../../helpers/remote-terminal.ts';

const endings = {
	hangup: 'The connection was cut.',
	interrupted: 'Interrupted.',
	terminated: 'The server is shutting down.',
} as const satisfies Partial<Record<ErrorKind, string>>;

export type RemoteClient = {
	readonly session: RemoteSession;
	readonly stdout: () => string;
	readonly stderr: () => string;
	/** What was written to standard output and not read. */
	readonly queuedBytes: () => number;
	/** Resolves to the exit code. */
	readonly run: (words: readonly string[]) => Promise<number>;
	/** The same with all that it printed. */
	readonly runWhole: (words: readonly string[]) => Promise<{readonly exitCode: number; readonly stdout: string; readonly stderr: string}>;
	readonly send: (text: string) => void;
	readonly end: (kind: keyof typeof endings) => void;
	/** Closes the channel, as the loss of the connection does. */
	readonly cut: () => void;
	readonly goOn: () => void;
};

type ClientOptions = Partial<Pick<RemoteSession, 'profileName' | 'person' | 'timeZone' | 'isReadOnly' | 'fingerprint' | 'env'>> & {
	/** What it sends on standard input, which then ends; `null` to leave it open. */
	readonly stdin?: string | Uint8Array | null;
	/** Columns, if its streams are a terminal. */
	readonly terminal?: number;
	/** True if it reads nothing until `goOn`. */
	readonly isStalled?: boolean;
};

/** Someone with an SSH client, at the other end of a channel. */
export function createRemoteClient(folders: ServerFolders, options: ClientOptions = {}): RemoteClient {
	const {
		profileName = 'default',
		isReadOnly = false,
		fingerprint = fingerprintOf('a'),
		env = {TERM: 'xterm'},
		terminal,
		isStalled = false,
	} = options;
	const [output, errors] = [new Reader(isStalled), new Reader()];
	const channel = createChannel(output, options);
	const stderr: OutputStream = new Writable({
		write(chunk: Uint8Array, _encoding, done) {
			errors.take(Buffer.from(chunk).toString(), done);
		},
	});
	if (terminal !== undefined) {
		Object.assign(channel, {isTTY: true, columns: terminal, rows: 24});
		Object.assign(stderr, {isTTY: true, columns: terminal, rows: 24});
	}

	const ending = new AbortController();
	const session: RemoteSession = {
		fingerprint,
		person: options.person,
		timeZone: options.timeZone ?? {zone: undefined, isOwn: false},
		profileName,
		isReadOnly,
		env,
		streams: {stdin: channel, stdout: channel, stderr},
		signal: ending.signal,
	};
	const run = async (words: readonly string[]): Promise<number> => runRemoteCommand(session, words, folders);
	const end: RemoteClient['end'] = kind => ending.abort(new SwitchboardError(kind, endings[kind]));

	return {
		session,
		stdout: () => output.text,
		stderr: () => errors.text,
		queuedBytes: () => channel.writableLength,
		run,
		runWhole: async words => ({exitCode: await run(words), stdout: output.text, stderr: errors.text}),
		send(text) {
			channel.push(text);
		},
		end,
		cut() {
			channel.destroy();
			end('hangup');
		},
		goOn() {
			output.goOn();
		},
	};
}

/** One stream for standard input and output, as a channel of SSH is. */
function createChannel(output: Reader, {stdin = ''}: ClientOptions): Duplex {
	const channel = new Duplex({
		read: () => undefined,
		write(chunk: Uint8Array, _encoding, done) {
			output.take(Buffer.from(chunk).toString(), done);
		},
	});
	if (stdin !== null) {
		channel.push(stdin);
		channel.push(null);
	}

	return channel;
}
