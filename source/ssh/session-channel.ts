import type {Buffer} from 'node:buffer';
import {type Connection, type ServerChannel, type Session} from 'ssh2';
import {type SwitchboardError} from '../interface/errors.ts';
import {signalErrors} from '../interface/signal-errors.ts';
import {closeUnused} from './inside-ssh2.ts';
import {
	takeVariable,
	terminalName,
	terminalSize,
	type RemoteTerminal,
} from './terminal-request.ts';

/** What a client asks for on a channel: the screens, or a command. */
export type SessionRequest = {
	readonly channel: ServerChannel;
	/** The command line; none for the screens. */
	readonly command: string | undefined;
	readonly terminal: RemoteTerminal | undefined;
	readonly env: Readonly<Record<string, string>>;
};

/** A session that runs on a channel. */
export type RunningSession = {
	readonly receive: (chunk: Buffer) => void;
	readonly endInput: () => void;
	readonly resize: (columns: number, rows: number) => void;
	/** Ends the session in order, for a reason to tell. */
	readonly end: (reason: SwitchboardError) => void;
	/** The channel is closed, or the line is cut. */
	readonly hangUp: () => void;
};

export type ChannelOptions = {
	/** Starts what is asked for; called once at most. */
	readonly start: (request: SessionRequest) => RunningSession;
	/** Called once, when the client has closed the channel, or it was closed because nothing was asked for on it. */
	readonly onClose: () => void;
	/** How long a client may take to ask for something. */
	readonly requestMilliseconds?: number | undefined;
};

/** By the names that SSH has for signals (RFC 4254, section 6.10). */
const signalReasons: ReadonlyMap<string, SwitchboardError> = new Map(Object.entries(signalErrors).map(([signal, error]) => [signal.slice('SIG'.length), error]));

/**
Listens to the requests on a channel. Everything else that SSH has (a subsystem such as sftp, forwarding, an agent) is refused by
`ssh2` as long as nobody listens to it.
*/
export const listenToChannel = (connection: Connection, session: Session, {start, onClose, requestMilliseconds = 30_000}: ChannelOptions): void => {
	const variables = new Map<string, string>();
	let terminal: RemoteTerminal | undefined;
	let running: RunningSession | undefined;
	const unusedTimer = setTimeout(() => {
		session.emit('close');
	}, requestMilliseconds);
	unusedTimer.unref();
	// Without `wantReply` there is no function to call.
	const answer = (reply: (() => void) | undefined): void => {
		reply?.();
	};

	const open = (accept: (() => ServerChannel | undefined) | undefined, command: string | undefined): void => {
		const channel = running === undefined ? accept?.() : undefined;
		if (channel === undefined) {
			return;
		}

		clearTimeout(unusedTimer);
		// A line that is cut shows in other ways.
		channel.on('error', () => undefined);
		channel.stderr.on('error', () => undefined);
		const env = {...Object.fromEntries(variables), ...(terminal !== undefined && {TERM: terminal.term})};
		running = start({
			channel, command, terminal, env,
		});
		channel.on('data', (chunk: Buffer) => {
			running?.receive(chunk);
		});
		channel.once('end', () => {
			running?.endInput();
		});
	};

	session.on('pty', (accept, reject, {term, cols, rows}: {readonly term?: unknown; readonly cols: number; readonly rows: number}) => {
		if (terminal !== undefined || running !== undefined) {
			answer(reject);
			return;
		}

		terminal = {term: terminalName(term), ...terminalSize({cols, rows})};
		answer(accept);
	});
	session.on('window-change', (accept, _reject, {cols, rows}) => {
		const size = terminalSize({cols, rows});
		if (terminal !== undefined) {
			terminal = {...terminal, ...size};
			running?.resize(size.columns, size.rows);
		}

		answer(accept);
	});
	session.on('env', (accept, reject, {key, val}) => {
		answer(takeVariable(variables, key, val) ? accept : reject);
	});
	session.on('signal', (accept, reject, {name}) => {
		const reason = signalReasons.get(name);
		if (reason === undefined) {
			answer(reject);
			return;
		}

		running?.end(reason);
		answer(accept);
	});
	session.on('shell', accept => {
		open(accept, undefined);
	});
	session.on('exec', (accept, _reject, {command}) => {
		open(accept, command);
	});
	session.once('close', () => {
		clearTimeout(unusedTimer);
		if (running === undefined) {
			closeUnused(connection, session);
		}

		running?.hangUp();
		onClose();
	});
};
