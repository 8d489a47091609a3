import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import type {Connection, ServerChannel, Session as Channel} from 'ssh2';
import {cleanText} from '../interface/clean-text.ts';
import {signalErrors, SwitchboardError} from '../interface/errors.ts';
import {toPersonName} from '../interface/key-rights.ts';
import {remoteTimeZone} from '../words/time-zone.ts';
import type {Authenticated} from './authenticate.ts';
import type {AuthorizedKey} from './authorized-keys.ts';
import {createRoundTrips, type RemoteTerminal} from './channel-streams.ts';
import {closeUnused} from './inside-ssh2.ts';
import {runSession, type RunningSession, type SessionPrograms, type SessionRequest} from './run-session.ts';
import type {SshLog} from './ssh-log.ts';

export type ConnectionOptions = SessionPrograms & {
	readonly socket: Socket;
	readonly address: string;
	readonly authenticated: Authenticated;
	/** The line of the file that accepts the key now. */
	readonly findKey: () => AuthorizedKey | undefined;
	/** The rights that the profile gives a session now, as a text to compare; `undefined` for none. Throws if they cannot be read now. */
	readonly describeProfile: (profileName: string) => string | undefined;
	readonly isReadOnly: boolean;
	readonly hasRoom: () => boolean;
	/** Called when the connection is closed and its last session has ended. */
	readonly onGone: () => void;
	/** For a client's first request on a channel. */
	readonly requestMilliseconds: number;
	readonly reportFault: (error: unknown) => void;
	readonly log: SshLog;
};

/** As OpenSSH's MaxSessions. */
const mostChannels = 10;

/** For a client to show the last output and leave. */
const leavingMilliseconds = 2000;

/** For the client to read the last bytes. */
const readingMilliseconds = 3000;

/** How long a connection without a session stays open for the next one. */
const unusedMilliseconds = 10 * 60 * 1000;

/** A connection is dead after this many keep-alives without a reply. */
const mostUnanswered = 3;

/** Input that is queued from a client that ignores the window. */
const mostUnreadBytes = 4 * 1024 * 1024;

const keyGone = new SwitchboardError('forbidden', 'Your key was removed from this server.');

const keyChanged = new SwitchboardError('forbidden', 'The rights of your key on this server have changed.', {nextStep: 'Connect again.'});

const profileGone = (name: string): SwitchboardError =>
	new SwitchboardError('forbidden', `Your profile “${name}” was removed from this server, or signed out.`, {
		nextStep: 'Tell the administrator of this server.',
	});

const profileChanged = (name: string): SwitchboardError =>
	new SwitchboardError('forbidden', `Your profile “${name}” was changed on this server.`, {nextStep: 'Connect again.'});

const tooMany = new SwitchboardError('rate-limited', 'This server has as many sessions as it can serve.', {nextStep: 'Try again later.'});

/**
Ends a connection once everything sent has been read, or after a few seconds, because a client that never reads could keep it open for ever.
*/
export function hangUp(connection: {readonly end: () => unknown}, socket: Socket): void {
	connection.end();
	socket.destroySoon();
	if (socket.closed) {
		return;
	}

	const deadline = setTimeout(() => {
		socket.destroy();
	}, readingMilliseconds);
	socket.once('close', () => clearTimeout(deadline));
}

type Entry = {
	readonly session: RunningSession;
	readonly key: AuthorizedKey;
	/** The rights at the start. */
	readonly profile: string | undefined;
	readonly stream: ServerChannel;
	readonly ended: Promise<void>;
};

/** Runs the sessions of a client that has logged in. */
export function openConnection(connection: Connection, options: ConnectionOptions) {
	const {socket, address, findKey, log} = options;
	const {key: firstKey, user} = options.authenticated;
	const {fingerprint} = firstKey.key;
	const roundTrips = createRoundTrips(connection, socket);
	/** The channels that the client has not closed. */
	const channels = new Set<Channel>();
	/** The running sessions, including those whose channel is closed. */
	const entries = new Map<Channel, Entry>();
	/** Without refused sessions. */
	let sessionCount = 0;
	/** Why no new session starts. */
	let ending: SwitchboardError | undefined;
	let isClosed = false;
	let unanswered = 0;

	const keepAlive = setInterval(() => {
		unanswered = roundTrips.isWaiting() ? unanswered + 1 : 0;
		if (unanswered >= mostUnanswered) {
			socket.destroy();
		} else if (unanswered === 0) {
			roundTrips.next(() => undefined);
		}
	}, 15_000);
	const unusedTimer = setTimeout(() => {
		if (entries.size === 0) {
			hangUp(connection, socket);
		}
	}, unusedMilliseconds);

	socket.on('data', () => {
		if (entries.values().some(({stream}) => stream.readableLength > mostUnreadBytes)) {
			socket.destroy();
		}
	});

	/** The rights of a profile as a text to compare; `before` if they cannot be read. */
	const readProfile = (name: string, before?: string): string | undefined => {
		try {
			return options.describeProfile(name);
		} catch {
			return before;
		}
	};

	const start = (channel: Channel, request: SessionRequest): RunningSession => {
		const startedAt = performance.now();
		// The rights of the key may have changed since the channel was opened.
		const key = findKey();
		const problem = ending ?? (key === undefined ? keyGone : options.hasRoom() ? undefined : tooMany);
		const {promise: ended, resolve} = Promise.withResolvers<void>();
		const {comment, profileName, isReadOnly, timeZone} = key ?? firstKey;
		// Before the session reads it.
		const profile = readProfile(profileName);
		const count = problem === undefined ? 1 : 0;
		sessionCount += count;
		const session = runSession(request, {
			...options,
			fingerprint,
			person: {name: toPersonName(comment) || fingerprint, address},
			timeZone: remoteTimeZone(timeZone, request.env),
			profileName,
			isReadOnly: isReadOnly || options.isReadOnly,
			problem,
			roundTrips,
			onEnd({what, exitCode}) {
				entries.delete(channel);
				sessionCount -= count;
				unusedTimer.refresh();
				log.ended({fingerprint, person: comment || user, address, what, durationMilliseconds: performance.now() - startedAt, exitCode});
				resolve();
				reportIfGone();
			},
		});
		entries.set(channel, {session, key: key ?? firstKey, profile, ended, stream: request.stream});
		return session;
	};

	const reportIfGone = (): void => {
		if (!isClosed || entries.size > 0) {
			return;
		}

		clearTimeout(unusedTimer);
		options.onGone();
	};

	connection.on('session', (accept, reject) => {
		if (ending !== undefined || findKey() === undefined || channels.union(entries).size >= mostChannels) {
			reject();
			return;
		}

		const channel = accept();
		channels.add(channel);
		listenToChannel(connection, channel, {
			start: request => start(channel, request),
			onClose() {
				channels.delete(channel);
			},
			requestMilliseconds: options.requestMilliseconds,
		});
	});
	connection.once('close', () => {
		isClosed = true;
		clearInterval(keepAlive);
		for (const {session} of entries.values()) {
			session.hangUp();
		}

		reportIfGone();
	});

	/** Ends all sessions in order, with a reason that is shown, then hangs up; resolves after that. */
	const end = async (reason: SwitchboardError): Promise<void> => {
		ending ??= reason;
		const all = [...entries.values()];
		for (const {session} of all) {
			session.end(reason);
		}

		await Promise.all(all.map(async ({ended}) => ended));
		// Clients leave by themselves once they have shown everything; if they are disconnected, they drop the rest.
		if (all.length > 0 && !socket.destroyed) {
			await Promise.race([once(socket, 'close'), delay(leavingMilliseconds, undefined, {ref: false})]);
		}

		hangUp(connection, socket);
	};

	return {
		fingerprint,
		sessionCount: () => sessionCount,
		/** Ends the sessions whose key was removed or restricted, or whose profile was removed or changed. */
		checkKey() {
			const now = findKey();
			if (now === undefined) {
				log.note(`${fingerprint} from ${address}: the key is no longer accepted.`);
				void end(keyGone);
				return;
			}

			for (const {session, key, profile} of entries.values()) {
				const profileNow = readProfile(key.profileName, profile);
				if (key.profileName !== now.profileName || (now.isReadOnly && !key.isReadOnly)) {
					session.end(keyChanged);
				} else if (profileNow !== profile) {
					session.end(profileNow === undefined ? profileGone(key.profileName) : profileChanged(key.profileName));
				}
			}
		},
		end,
		cut() {
			socket.destroy();
		},
	};
}

export type OpenConnection = ReturnType<typeof openConnection>;

type ChannelOptions = {
	/** Starts the requested program; called once at most. */
	readonly start: (request: SessionRequest) => RunningSession;
	/** Called once, when the client has closed the channel, or it was closed because it had no request. */
	readonly onClose: () => void;
	/** For a client's first request. */
	readonly requestMilliseconds: number;
};

/**
Listens to the requests on a channel. `ssh2` refuses everything else that SSH has (a subsystem such as sftp, forwarding, an agent) as long
as nothing listens for it.
*/
function listenToChannel(connection: Connection, channel: Channel, {start, onClose, requestMilliseconds}: ChannelOptions): void {
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
}

/** By the names that SSH has for signals (RFC 4254, section 6.10). */
const signalReasons: ReadonlyMap<string, SwitchboardError> = new Map(
	Object.entries(signalErrors).map(([signal, error]) => [signal.slice('SIG'.length), error]),
);

const clamp = (value: unknown, usual: number, largest: number): number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(value, largest) : usual;

/** The size of a terminal, in cells; 80×24 if a client does not know. A frame larger than any screen would only waste time. */
const terminalSize = ({cols, rows}: {readonly cols?: unknown; readonly rows?: unknown}): Pick<RemoteTerminal, 'columns' | 'rows'> => ({
	columns: clamp(cols, 80, 1000),
	rows: clamp(rows, 24, 500),
});

/** The type of a terminal, as in `TERM`; `dumb` for an invalid name. */
const terminalName = (term: unknown): string => (typeof term === 'string' && /^\w[\w+\-.]{0,63}$/.test(term) ? term : 'dumb');

/** Enough for every category of a locale. */
const mostVariables = 32;

const isAllowed = (name: string): boolean => /^(?:LANG|LC_[A-Z]{1,30}|NO_COLOR|COLORTERM|TZ|SWITCHBOARD_TIMEZONE)$/.test(name);

/** Adds a variable of the client, if sessions accept it. Returns whether they do. */
function takeVariable(variables: Map<string, string>, name: unknown, value: unknown): boolean {
	if (
		typeof name !== 'string' ||
		typeof value !== 'string' ||
		!isAllowed(name) ||
		(!variables.has(name) && variables.size >= mostVariables)
	) {
		return false;
	}

	variables.set(name, cleanText(value, 100));
	return true;
}
