import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import type {Connection, ServerChannel, Session as Channel} from 'ssh2';
import {SwitchboardError} from '../interface/errors.ts';
import {toPersonName} from '../interface/key-rights.ts';
import type {Authenticated} from './authenticate.ts';
import type {AuthorizedKey} from './authorized-keys.ts';
import {createRoundTrips} from './channel-streams.ts';
import {runSession, type RunningSession, type SessionPrograms, type SessionRequest} from './run-session.ts';
import {listenToChannel} from './session-channel.ts';
import type {SshLog} from './ssh-log.ts';

export type ConnectionOptions = SessionPrograms & {
	readonly socket: Socket;
	readonly address: string;
	readonly authenticated: Authenticated;
	/** The line of the file that lets the key in now. */
	readonly findKey: () => AuthorizedKey | undefined;
	/** The profile that a session gets now, as a text to compare; `undefined` for none. It throws if that cannot be known now. */
	readonly describeProfile: (profileName: string) => string | undefined;
	/** True if no session may change anything. */
	readonly isReadOnly: boolean;
	/** True if one more session fits. */
	readonly hasRoom: () => boolean;
	/** The connection is closed, and its last session has ended. */
	readonly onGone: () => void;
	/** The time for a client to ask for something on a channel. */
	readonly requestMilliseconds: number;
	/** Reports an error that belongs to one session. */
	readonly reportFault: (error: unknown) => void;
	readonly log: SshLog;
};

/** As in OpenSSH's MaxSessions. */
const mostChannels = 10;

/** The time for a client to show the last output and leave. */
const leavingMilliseconds = 2000;

/** The time for the other end to read the last that was sent. */
const readingMilliseconds = 3000;

/** A connection without a session stays open that long, for the next one. */
const unusedMilliseconds = 10 * 60 * 1000;

const keepAliveMilliseconds = 15_000;

/** A connection is dead after as many keep-alives without a reply. */
const mostUnanswered = 3;

/** Input that is queued of a client that ignores the window. */
const mostUnreadBytes = 4 * 1024 * 1024;

const keyGone = new SwitchboardError('forbidden', 'Your key was removed from this server.');
const keyChanged = new SwitchboardError('forbidden', 'What your key may do on this server was changed.', {nextStep: 'Connect again.'});
const profileGone = (name: string): SwitchboardError =>
	new SwitchboardError('forbidden', `Your profile “${name}” was removed from this server, or signed out.`, {
		nextStep: 'Tell whoever runs this server.',
	});
const profileChanged = (name: string): SwitchboardError =>
	new SwitchboardError('forbidden', `Your profile “${name}” was changed on this server.`, {nextStep: 'Connect again.'});
const tooMany = new SwitchboardError('rate-limited', 'This server has as many sessions as it can serve.', {nextStep: 'Try again later.'});

/** Ends a connection once all that was sent has been read, or after a few seconds: a client that never reads could keep it for ever. */
export const hangUp = (connection: {readonly end: () => unknown}, socket: Socket): void => {
	connection.end();
	socket.destroySoon();
	if (socket.closed) {
		return;
	}

	const deadline = setTimeout(() => {
		socket.destroy();
	}, readingMilliseconds);
	socket.once('close', () => clearTimeout(deadline));
};

type Entry = {
	readonly session: RunningSession;
	readonly key: AuthorizedKey;
	/** As it was at the start. */
	readonly profile: string | undefined;
	readonly stream: ServerChannel;
	readonly ended: Promise<void>;
};

/** Runs the sessions of somebody who has logged in. */
export const openConnection = (connection: Connection, options: ConnectionOptions) => {
	const {
		socket,
		address,
		authenticated: {key: firstKey, user},
		findKey,
		log,
	} = options;
	const {fingerprint} = firstKey.key;
	const roundTrips = createRoundTrips(connection, socket);
	/** The channels that the client has not closed. */
	const channels = new Set<Channel>();
	/** The sessions that run, also on a channel that is closed. */
	const entries = new Map<Channel, Entry>();
	/** Those that were not refused. */
	let sessionCount = 0;
	/** Why nothing new starts. */
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
	}, keepAliveMilliseconds);
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

	/** A text to compare; `before` where it cannot be known. */
	const readProfile = (name: string, before?: string): string | undefined => {
		try {
			return options.describeProfile(name);
		} catch {
			return before;
		}
	};

	const start = (channel: Channel, request: SessionRequest): RunningSession => {
		const startedAt = performance.now();
		// The channel may be older than what the key may do now.
		const key = findKey();
		const problem = ending ?? (key === undefined ? keyGone : options.hasRoom() ? undefined : tooMany);
		const {promise: ended, resolve} = Promise.withResolvers<void>();
		const {comment, profileName, isReadOnly} = key ?? firstKey;
		// Before the session reads it.
		const profile = readProfile(profileName);
		const count = problem === undefined ? 1 : 0;
		sessionCount += count;
		const session = runSession(request, {
			...options,
			fingerprint,
			person: {name: toPersonName(comment) || fingerprint, address},
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
		// Clients leave by themselves once they have shown everything; when they are disconnected, they drop the rest.
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
};

export type OpenConnection = ReturnType<typeof openConnection>;
