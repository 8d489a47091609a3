import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {type Connection, type ServerChannel} from 'ssh2';
import {SwitchboardError} from '../interface/errors.ts';
import {type Authenticated} from './authenticate.ts';
import {type AuthorizedKey} from './authorized-keys.ts';
import {createRoundTrips} from './round-trips.ts';
import {runSession, type SessionPrograms} from './run-session.ts';
import {listenToChannel, type RunningSession} from './session-channel.ts';
import {type SshLog} from './ssh-log.ts';

/** The line of somebody who is in, with their sessions. */
export type OpenConnection = {
	/** Ends the sessions whose key is not let in any more as it was. */
	readonly checkKey: () => void;
	/** Ends all sessions in order, for a reason to tell, and then the line; resolves after that. */
	readonly end: (reason: SwitchboardError) => Promise<void>;
};

export type ConnectionOptions = SessionPrograms & {
	readonly socket: Socket;
	readonly address: string;
	readonly authenticated: Authenticated;
	/** The line of the file that lets the key in now. */
	readonly findKey: () => AuthorizedKey | undefined;
	/** True if no session may change anything. */
	readonly isReadOnly: boolean;
	/** True if one more session fits; it then counts until it is given back. */
	readonly takeSession: () => boolean;
	readonly giveSession: () => void;
	/** Reports an error that belongs to one session. */
	readonly reportFault: (error: unknown) => void;
	readonly log: SshLog;
};

/** As in OpenSSH's MaxSessions. */
const mostSessions = 10;

const keepAliveMilliseconds = 15_000;

/** How many questions in a row a dead line leaves without an answer. */
const mostUnanswered = 3;

/** How long a client may take to show the last that it got. */
const leavingMilliseconds = 2000;

/** How long a line without a session stays open, for the next one. */
const unusedMilliseconds = 10 * 60 * 1000;

/** What is queued for a session by a client that does not mind the window. */
const mostUnreadBytes = 4 * 1024 * 1024;

const keyGone = new SwitchboardError('forbidden', 'Your key was removed from this server.');
const keyChanged = new SwitchboardError('forbidden', 'What your key may do on this server was changed.', {nextStep: 'Connect again.'});
const tooMany = new SwitchboardError('rate-limited', 'This server has as many sessions as it can serve.', {nextStep: 'Try again later.'});

type Entry = {
	readonly session: RunningSession;
	readonly key: AuthorizedKey;
	readonly channel: ServerChannel;
	readonly ended: Promise<void>;
};

/** Keeps the line alive; calls back when it is dead. */
const watchLine = (isWaiting: () => boolean, ask: () => void, onDead: () => void): NodeJS.Timeout => {
	let unanswered = 0;
	return setInterval(() => {
		unanswered = isWaiting() ? unanswered + 1 : 0;
		if (unanswered >= mostUnanswered) {
			onDead();
		} else if (unanswered === 0) {
			ask();
		}
	}, keepAliveMilliseconds);
};

/** Runs the sessions of somebody who is in. */
export const openConnection = (connection: Connection, options: ConnectionOptions): OpenConnection => {
	const {socket, address, authenticated: {key: firstKey, user}, findKey, log} = options;
	const roundTrips = createRoundTrips(connection);
	const entries = new Set<Entry>();
	let isEnding = false;

	const hangUp = (): void => {
		connection.end();
		socket.destroySoon();
	};

	const keepAlive = watchLine(roundTrips.isWaiting, () => {
		roundTrips.next(() => undefined);
	}, () => {
		socket.destroy();
	});
	const unusedTimer = setTimeout(() => {
		if (entries.size === 0) {
			hangUp();
		}
	}, unusedMilliseconds);

	socket.on('data', () => {
		if (entries.values().some(({channel}) => channel.readableLength > mostUnreadBytes)) {
			socket.destroy();
		}
	});
	connection.on('session', (accept, reject) => {
		const key = findKey();
		if (isEnding || key === undefined || entries.size >= mostSessions) {
			reject();
			return;
		}

		listenToChannel(accept(), request => {
			const startedAt = performance.now();
			const isTaken = options.takeSession();
			const {promise: ended, resolve} = Promise.withResolvers<void>();
			// Several channels can be open before the first of them asks for a session.
			const problem = isTaken && entries.size < mostSessions ? undefined : tooMany;
			const session = runSession(request, {
				...options,
				fingerprint: key.key.fingerprint,
				profileName: key.profileName,
				isReadOnly: key.isReadOnly || options.isReadOnly,
				problem,
				roundTrips,
				onEnd({what, exitCode}) {
					entries.delete(entry);
					unusedTimer.refresh();
					if (isTaken) {
						options.giveSession();
					}

					log.ended({
						fingerprint: key.key.fingerprint,
						person: key.comment || user,
						address,
						what,
						durationMilliseconds: performance.now() - startedAt,
						exitCode,
					});
					resolve();
				},
			});
			const entry: Entry = {
				session, key, ended, channel: request.channel,
			};
			entries.add(entry);
			return session;
		});
	});
	connection.once('close', () => {
		clearInterval(keepAlive);
		clearTimeout(unusedTimer);
		for (const {session} of entries) {
			session.hangUp();
		}
	});

	const end: OpenConnection['end'] = async reason => {
		isEnding = true;
		const all = [...entries];
		for (const {session} of all) {
			session.end(reason);
		}

		await Promise.all(all.map(async ({ended}) => ended));
		// Clients leave by themselves once they have shown all; told to leave, they would show no more.
		if (all.length > 0 && !socket.destroyed) {
			await Promise.race([once(socket, 'close'), delay(leavingMilliseconds, undefined, {ref: false})]);
		}

		hangUp();
	};

	return {
		checkKey() {
			const now = findKey();
			if (now === undefined) {
				log.note(`${firstKey.key.fingerprint} from ${address}: the key is not let in any more.`);
				void end(keyGone);
				return;
			}

			for (const {session, key} of entries) {
				if (key.profileName !== now.profileName || (now.isReadOnly && !key.isReadOnly)) {
					session.end(keyChanged);
				}
			}
		},
		end,
	};
};
