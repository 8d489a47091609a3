import {type ServerResponse} from 'node:http';
import {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {changeFeedPath, eventStreamType, formatListChange} from '../../interface/list-versions.ts';
import {type Caller} from '../callers.ts';
import {listNames, type Store} from '../store/store.ts';
import {addressGroupOf} from './address-group.ts';
import {callerOf} from './authorize.ts';
import {type Connections} from './connections.ts';
import {type LineLimits} from './line-limits.ts';

/** What a client that does not read may leave in memory. */
const maximumUnreadBytes = 64 * 1024;

/** A proxy closes a connection on which nothing comes, and a client takes it for dead. */
const heartbeatMilliseconds = 15_000;

/** A revoked key must end its streams within a second. */
const keyCheckMilliseconds = 500;

/** How long a client that has too many streams is asked to wait. */
const retryAfterSeconds = 30;

type Stream = {
	readonly caller: Caller;
	readonly group: string | undefined;
	/** Sends a text; before the stream has begun, with its beginning. */
	send(text: string): void;
	end(): void;
};

/** Keys that are stored are named by their ids. */
const keyIdOf = ({caller}: Stream): number => Number(caller.keyName);

/** An answer that goes on until one end has enough. */
const createStream = (request: FastifyRequest, reply: FastifyReply): Stream & {begin(first: string): void} => {
	const response: ServerResponse = reply.raw;
	let early = '';
	let isEnded = false;
	return {
		caller: callerOf(request),
		group: addressGroupOf(request),
		begin(first) {
			void reply.hijack();
			response.writeHead(200, {
				...reply.getHeaders() as Readonly<Record<string, string>>,
				'content-type': eventStreamType,
				'cache-control': 'no-store',
				// Otherwise nginx keeps events back until it has a few kilobytes of them.
				'x-accel-buffering': 'no',
				connection: 'close',
			});
			response.write(first + early);
			if (isEnded) {
				response.end();
			}
		},
		send(text) {
			if (!response.headersSent) {
				early += text;
			} else if (response.writableLength > maximumUnreadBytes) {
				response.destroy();
			} else {
				response.write(text);
			}
		},
		end() {
			isEnded = true;
			if (response.headersSent) {
				response.end();
			}
		},
	};
};

type Feed = {
	/** @throws SwitchboardError `rate-limited` for one too many. */
	add(stream: Stream): void;
	remove(stream: Stream): void;
	endAll(): void;
};

/** The open streams, each of which is told of the changes of its account, and ended when its key is revoked. */
const createFeed = ({accounts, watch}: Store, limits: LineLimits): Feed => {
	const streams = new Set<Stream>();
	let isStopping = false;
	let stopWatching: (() => void) | undefined;
	let isChecking = false;

	const refuseExcess = ({caller, group}: Stream): void => {
		const open = [...streams];
		const ofKey = open.filter(stream => stream.caller.keyName === caller.keyName).length;
		const ofGroup = group === undefined ? 0 : open.filter(stream => stream.group === group).length;
		if (ofKey >= limits.streamsPerKey) {
			throw new SwitchboardError('rate-limited', `This key may follow changes ${limits.streamsPerKey} times at once.`);
		}

		if (ofGroup >= limits.streamsPerAddress || open.length >= limits.streams) {
			throw new SwitchboardError('rate-limited', 'Too many clients follow changes.');
		}
	};

	const endRevoked = async (): Promise<void> => {
		const asked = [...streams].filter(stream => Number.isSafeInteger(keyIdOf(stream)));
		if (isChecking || asked.length === 0) {
			return;
		}

		isChecking = true;
		try {
			const left = await accounts.keysLeft([...new Set(asked.map(stream => keyIdOf(stream)))]);
			for (const stream of asked) {
				if (!left.has(keyIdOf(stream))) {
					stream.end();
				}
			}
		} catch {
			// While the database is away nothing changes, and no key is revoked.
		} finally {
			isChecking = false;
		}
	};

	const start = (): (() => void) => {
		const endWatching = watch(({accountId, list, version}) => {
			for (const stream of streams) {
				if (stream.caller.accountId === accountId) {
					stream.send(formatListChange({resource: list, version}));
				}
			}
		});
		const heartbeat = setInterval(() => {
			for (const stream of streams) {
				stream.send(': \n\n');
			}
		}, Math.min(heartbeatMilliseconds, limits.idleMilliseconds / 3)).unref();
		const keyCheck = setInterval(() => {
			void endRevoked();
		}, keyCheckMilliseconds).unref();
		return () => {
			endWatching();
			clearInterval(heartbeat);
			clearInterval(keyCheck);
		};
	};

	return {
		add(stream) {
			refuseExcess(stream);
			streams.add(stream);
			stopWatching ??= start();
			if (isStopping) {
				stream.end();
			}
		},
		remove(stream) {
			streams.delete(stream);
			if (streams.size > 0) {
				return;
			}

			stopWatching?.();
			stopWatching = undefined;
		},
		endAll() {
			isStopping = true;
			for (const stream of streams) {
				stream.end();
			}
		},
	};
};

type ChangeFeedParts = {
	readonly store: Store;
	readonly connections: Connections;
	readonly limits: LineLimits;
};

/**
Serves the changes of the caller's lists as they happen: at first the version of each list, then each new one. Nothing else of
the account is sent.
*/
export const addChangeFeed = (app: FastifyInstance, {store, connections, limits}: ChangeFeedParts): void => {
	const feed = createFeed(store, limits);
	app.addHook('preClose', async () => {
		feed.endAll();
	});
	app.get(changeFeedPath, {schema: {hide: true}}, async (request, reply) => {
		// It may have gone while its key was checked.
		if (request.raw.socket.destroyed) {
			return reply.hijack();
		}

		const stream = createStream(request, reply);
		void reply.header('retry-after', retryAfterSeconds);
		feed.add(stream);
		void reply.removeHeader('retry-after');
		reply.raw.once('close', () => {
			feed.remove(stream);
		});
		connections.keepOpen(request.raw);
		// Read when nothing that follows can be missed.
		const {versions = stream.caller.versions} = await store.accounts.find(stream.caller.account) ?? {};
		stream.begin(listNames.map(resource => formatListChange({resource, version: versions[resource]})).join(''));
		return reply;
	});
};
