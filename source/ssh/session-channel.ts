import type {Connection, ServerChannel, Session} from 'ssh2';
import {cleanText} from '../interface/clean-text.ts';
import {signalErrors, type SwitchboardError} from '../interface/errors.ts';
import type {RemoteTerminal} from './channel-streams.ts';
import {closeUnused} from './inside-ssh2.ts';
import type {RunningSession, SessionRequest} from './run-session.ts';

type ChannelOptions = {
	/** Starts what is asked for; called once at most. */
	readonly start: (request: SessionRequest) => RunningSession;
	/** Called once, when the client has closed the channel, or it was closed because nothing was asked for on it. */
	readonly onClose: () => void;
	/** The time for a client to ask for something. */
	readonly requestMilliseconds: number;
};

/** By the names that SSH has for signals (RFC 4254, section 6.10). */
const signalReasons: ReadonlyMap<string, SwitchboardError> = new Map(
	Object.entries(signalErrors).map(([signal, error]) => [signal.slice('SIG'.length), error]),
);

const clamp = (value: unknown, usual: number, largest: number): number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(value, largest) : usual;

/** The size of a terminal, in cells; 80×24 where a client does not know. A frame of more cells than any screen has would only cost. */
const terminalSize = ({cols, rows}: {readonly cols?: unknown; readonly rows?: unknown}): Pick<RemoteTerminal, 'columns' | 'rows'> => ({
	columns: clamp(cols, 80, 1000),
	rows: clamp(rows, 24, 500),
});

/** The type of a terminal, as in `TERM`; `dumb` for what cannot be one. */
const terminalName = (term: unknown): string => (typeof term === 'string' && /^\w[\w+\-.]{0,63}$/.test(term) ? term : 'dumb');

const largestValue = 100;

/** Enough for every category of a locale. */
const mostVariables = 32;

const isAllowed = (name: string): boolean => /^(?:LANG|LC_[A-Z]{1,30}|NO_COLOR|COLORTERM)$/.test(name);

/** Adds a variable of the client, if it is one of those that a session takes. Returns whether it is. */
const takeVariable = (variables: Map<string, string>, name: unknown, value: unknown): boolean => {
	if (
		typeof name !== 'string' ||
		typeof value !== 'string' ||
		!isAllowed(name) ||
		(!variables.has(name) && variables.size >= mostVariables)
	) {
		return false;
	}

	variables.set(name, cleanText(value, largestValue));
	return true;
};

/**
Listens to the requests on a channel. `ssh2` refuses everything else that SSH has (a subsystem such as sftp, forwarding, an agent) as long
as nobody listens to it.
*/
export const listenToChannel = (connection: Connection, channel: Session, {start, onClose, requestMilliseconds}: ChannelOptions): void => {
	const variables = new Map<string, string>();
	let terminal: RemoteTerminal | undefined;
	let session: RunningSession | undefined;
	const unusedTimer = setTimeout(() => {
		channel.emit('close');
	}, requestMilliseconds);
	unusedTimer.unref();
	// Without `wantReply` there is no function to call.
	const answer = (reply: (() => void) | undefined): void => {
		reply?.();
	};

	const open = (accept: (() => ServerChannel | undefined) | undefined, command: string | undefined): void => {
		const stream = session === undefined ? accept?.() : undefined;
		if (stream === undefined) {
			return;
		}

		clearTimeout(unusedTimer);
		// A connection that is cut shows in other ways.
		stream.on('error', () => undefined);
		stream.stderr.on('error', () => undefined);
		const env = {...Object.fromEntries(variables), ...(terminal !== undefined && {TERM: terminal.term})};
		const started = start({stream, command, terminal, env});
		session = started;
		stream.on('data', started.receive);
		stream.once('end', started.endInput);
	};

	channel.on('pty', (accept, reject, {term, cols, rows}: {readonly term?: unknown; readonly cols: number; readonly rows: number}) => {
		if (terminal !== undefined || session !== undefined) {
			answer(reject);
			return;
		}

		terminal = {term: terminalName(term), ...terminalSize({cols, rows})};
		answer(accept);
	});
	channel.on('window-change', (accept, _reject, {cols, rows}) => {
		const size = terminalSize({cols, rows});
		if (terminal !== undefined) {
			terminal = {...terminal, ...size};
			session?.resize(size.columns, size.rows);
		}

		answer(accept);
	});
	channel.on('env', (accept, reject, {key, val}) => answer(takeVariable(variables, key, val) ? accept : reject));
	channel.on('signal', (accept, reject, {name}) => {
		const reason = signalReasons.get(name);
		if (reason === undefined) {
			answer(reject);
			return;
		}

		session?.end(reason);
		answer(accept);
	});
	channel.on('shell', accept => open(accept, undefined));
	channel.on('exec', (accept, _reject, {command}) => open(accept, command));
	channel.once('close', () => {
		clearTimeout(unusedTimer);
		if (session === undefined) {
			closeUnused(connection, channel);
		}

		session?.hangUp();
		onClose();
	});
};
