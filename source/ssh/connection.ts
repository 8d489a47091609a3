import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {type Connection, type ServerChannel, type Session} from 'ssh2';
import {SwitchboardError} from '../interface/errors.ts';
import {type Authenticated} from './authenticate.ts';
import {type AuthorizedKey} from './authorized-keys.ts';
import {hangUp} from './hang-up.ts';
import {watchLine} from './keep-alive.ts';
import {createRoundTrips} from './round-trips.ts';
import {runSession, type SessionPrograms} from './run-session.ts';
import {listenToChannel, type RunningSession, type SessionRequest} from './session-channel.ts';
import {type SshLog} from './ssh-log.ts';

/** The connection of somebody who was let in, with their sessions. */
export type OpenConnection = {
	/** Ends the sessions whose key was removed or restricted, or whose profile was removed or changed. */
	readonly checkKey: () => void;
	/** Ends all sessions in order, with a reason to tell, then hangs up; resolves after that. */
	readonly end: (reason: SwitchboardError) => Promise<void>;
};

export type ConnectionOptions = SessionPrograms & {
	readonly socket: Socket;
	readonly address: string;
	readonly authenticated: Authenticated;
	/** The line of the file that lets the key in now. */
	readonly findKey: () => AuthorizedKey | undefined;
	/** What a profile gives to a session now, as a text to compare; `undefined` for nothing. It throws if that cannot be known now. */
	readonly describeProfile: (profileName: string) => string | undefined;
	/** True if no session may change anything. */
	readonly isReadOnly: boolean;
	/** True if one more session fits; it then counts until it is given back. */
	readonly takeSession: () => boolean;
	readonly giveSession: () => void;
	/** How long a channel may be open before something is asked for on it. */
	readonly requestMilliseconds?: number | undefined;
	/** Reports an error that belongs to one session. */
	readonly reportFault: (error: unknown) => void;
	readonly log: SshLog;
};

/** As in OpenSSH's MaxSessions. */
const mostChannels = 10;

/** How long a client may take to show the last output and leave. */
const leavingMilliseconds = 2000;

/** How long a connection without a session stays open, for the next one. */
const unusedMilliseconds = 10 * 60 * 1000;

/** How much input may be queued of a client that ignores the window. */
const mostUnreadBytes = 4 * 1024 * 1024;

const keyGone = new SwitchboardError('forbidden', 'Your key was removed from this server.');
const keyChanged = new SwitchboardError('forbidden', 'What your key may do on this server was changed.', {nextStep: 'Connect again.'});
const profileGone = (name: string): SwitchboardError =>
	new SwitchboardError('forbidden', `Your profile “${name}” was removed from this server, or signed out.`, {nextStep: 'Tell whoever runs this server.'});
const profileChanged = (name: string): SwitchboardError =>
	new SwitchboardError('forbidden', `Your profile “${name}” was changed on this server.`, {nextStep: 'Connect again.'});
const tooMany = new SwitchboardError('rate-limited', 'This server has as many sessions as it can serve.', {nextStep: 'Try again later.'});

type Entry = {
	readonly session: RunningSession;
	readonly key: AuthorizedKey;
	/** As it was at the start. */
	readonly profile: string | undefined;
	readonly channel: ServerChannel;
	readonly ended: Promise<void>;
};

/** What a session gets of its profile; `before` where that cannot be known. */
const readProfile = ({describeProfile}: ConnectionOptions, name: string, before?: string): string | undefined => {
	try {
		return describeProfile(name);
	} catch {
		return before;
	}
};

/** Runs the sessions of somebody who was let in. */
export const openConnection = (connection: Connection, options: ConnectionOptions): OpenConnection => {
	const {socket, address, authenticated: {key: firstKey, user}, findKey, log} = options;
	const {fingerprint} = firstKey.key;
	const roundTrips = createRoundTrips(connection);
	/** The channels that the client has not closed. */
	const channels = new Set<Session>();
	/** What runs, also on a channel that is closed. */
	const entries = new Map<Session, Entry>();
	/** Why nothing new starts. */
	let ending: SwitchboardError | undefined;

	const keepAlive = watchLine(roundTrips.isWaiting, () => {
		roundTrips.next(() => undefined);
	}, () => {
		socket.destroy();
	});
	const unusedTimer = setTimeout(() => {
		if (entries.size === 0) {
			hangUp(connection, socket);
		}
	}, unusedMilliseconds);

	socket.on('data', () => {
		if (entries.values().some(({channel}) => channel.readableLength > mostUnreadBytes)) {
			socket.destroy();
		}
	});
	const start = (channel: Session, request: SessionRequest): RunningSession => {
		const startedAt = performance.now();
		// The channel may be older than what the key may do now.
		const key = findKey();
		const refusal = ending ?? (key === undefined ? keyGone : undefined);
		const isTaken = refusal === undefined && options.takeSession();
		const {promise: ended, resolve} = Promise.withResolvers<void>();
		const {comment, profileName, isReadOnly} = key ?? firstKey;
		// Before the session reads it.
		const profile = readProfile(options, profileName);
		const session = runSession(request, {
			...options,
			fingerprint,
			profileName,
			isReadOnly: isReadOnly || options.isReadOnly,
			problem: refusal ?? (isTaken ? undefined : tooMany),
			roundTrips,
			onEnd({what, exitCode}) {
				entries.delete(channel);
				unusedTimer.refresh();
				if (isTaken) {
					options.giveSession();
				}

				log.ended({
					fingerprint,
					person: comment || user,
					address,
					what,
					durationMilliseconds: performance.now() - startedAt,
					exitCode,
				});
				resolve();
			},
		});
		entries.set(channel, {
			session, key: key ?? firstKey, profile, ended, channel: request.channel,
		});
		return session;
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
		clearInterval(keepAlive);
		clearTimeout(unusedTimer);
		for (const {session} of entries.values()) {
			session.hangUp();
		}
	});

	const end: OpenConnection['end'] = async reason => {
		ending ??= reason;
		const all = [...entries.values()];
		for (const {session} of all) {
			session.end(reason);
		}

		await Promise.all(all.map(async ({ended}) => ended));
		// Clients leave by themselves once they have shown everything; when they are told to, they drop the rest.
		if (all.length > 0 && !socket.destroyed) {
			await Promise.race([once(socket, 'close'), delay(leavingMilliseconds, undefined, {ref: false})]);
		}

		hangUp(connection, socket);
	};

	return {
		checkKey() {
			const now = findKey();
			if (now === undefined) {
				log.note(`${fingerprint} from ${address}: the key is no longer accepted.`);
				void end(keyGone);
				return;
			}

			for (const {session, key, profile} of entries.values()) {
				const profileNow = readProfile(options, key.profileName, profile);
				if (key.profileName !== now.profileName || (now.isReadOnly && !key.isReadOnly)) {
					session.end(keyChanged);
				} else if (profileNow !== profile) {
					session.end(profileNow === undefined ? profileGone(key.profileName) : profileChanged(key.profileName));
				}
			}
		},
		end,
	};
};
