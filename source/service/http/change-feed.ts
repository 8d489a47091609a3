import type {FastifyInstance, FastifyReply} from 'fastify';
import {changeFeedPath, eventStreamType} from '../../interface/endpoints.ts';
import type {Caller} from '../callers.ts';
import {type ListName, listNames, type ListVersions} from '../store/changes.ts';
import {StoreFailure} from '../store-errors.ts';
import type {Store} from '../store/store.ts';
import {callerOf} from './authorize.ts';
import type {KeyWatch} from './key-watch.ts';
import type {Limits} from './limits.ts';
import {refuseFor} from './rate-limits.ts';

/** How long a client with too many streams should wait. */
const retryAfterSeconds = 30;

/** For the unread data of a client that does not read. */
const maximumUnreadBytes = 64 * 1024;

/** A proxy closes a silent connection, and a client takes it for dead. */
const heartbeatMilliseconds = 15_000;

/** How often to check that the schema is known. */
const checkMilliseconds = 500;

/** A store that has just begun to watch the database may miss a change by another process, but not after this time. */
const settledMilliseconds = 2000;

type ChangeFeedParts = {
	readonly store: Pick<Store, 'accounts' | 'history' | 'watch' | 'checkVersion'>;
	readonly keyWatch: KeyWatch;
	readonly limits: Limits;
};

type Stream = ReturnType<typeof createStream>;

/**
Serves the changes of the caller's lists as they happen: at first the version of each list, then each new version. No other data of the
account is sent. A stream ends when its key is revoked, and all end once the schema is too new for this process.
*/
export function addChangeFeed(app: FastifyInstance, {store, keyWatch, limits}: ChangeFeedParts): void {
	const streams = new Set<Stream>();
	let isStopping = false;
	let stopWatching: (() => void) | undefined;

	const numberOf = (historyNumber: number | undefined): number | undefined => (store.history === undefined ? undefined : historyNumber);

	const refuseExcess = ({keyName}: Caller, reply: FastifyReply): void => {
		if ([...streams].filter(({caller}) => caller.keyName === keyName).length >= limits.streamsPerKey) {
			throw refuseFor(retryAfterSeconds, reply, `This key may follow changes ${limits.streamsPerKey} times at once.`);
		}

		if (streams.size >= limits.streams) {
			throw refuseFor(retryAfterSeconds, reply, 'Too many clients are following changes.');
		}
	};

	const forEachStream = (act: (stream: Stream) => void): void => {
		for (const stream of streams) {
			act(stream);
		}
	};

	const endAll = (): void => forEachStream(stream => stream.end());

	/** Then the clients connect again, and a proxy sends them to a process that is up to date. */
	const endIfOutdated = async (): Promise<void> => {
		try {
			await store.checkVersion();
		} catch (error) {
			if (error instanceof StoreFailure && error.trouble === 'newer') {
				endAll();
			}
		}
	};

	const sendAll = async (stream: Stream): Promise<void> => {
		const {versions = stream.caller.versions, historyNumber} = (await store.accounts.find(stream.caller.account)) ?? {};
		stream.send(versions, numberOf(historyNumber));
	};

	const start = (): (() => void) => {
		const endWatch = store.watch(({accountId, list, version, historyNumber}) =>
			forEachStream(stream => {
				if (stream.caller.accountId === accountId) {
					stream.send({[list]: version}, numberOf(historyNumber));
				}
			}),
		);
		const heartbeat = setInterval(
			() => forEachStream(stream => stream.keepAlive()),
			Math.min(heartbeatMilliseconds, limits.idleMilliseconds / 3),
		).unref();
		const check = setInterval(() => {
			void endIfOutdated();
		}, checkMilliseconds).unref();
		return () => {
			endWatch();
			clearInterval(heartbeat);
			clearInterval(check);
		};
	};

	const remove = (stream: Stream): void => {
		streams.delete(stream);
		if (streams.size > 0) {
			return;
		}

		stopWatching?.();
		stopWatching = undefined;
	};

	app.addHook('preClose', async () => {
		isStopping = true;
		endAll();
	});
	app.get(changeFeedPath, {schema: {hide: true}}, async (request, reply) => {
		await store.checkVersion();
		// The client may have left while the schema and its key were checked.
		if (request.raw.socket.destroyed) {
			return reply.hijack();
		}

		const caller = callerOf(request);
		refuseExcess(caller, reply);
		void reply.hijack();
		const stream = createStream(caller, reply);
		streams.add(stream);
		stopWatching ??= start();
		const stopWatchingKey = keyWatch.watch(caller, stream.end);
		const settled = setTimeout(() => {
			// If it fails, the next change sends the versions.
			void sendAll(stream).catch(() => undefined);
		}, settledMilliseconds).unref();
		reply.raw.once('close', () => {
			clearTimeout(settled);
			remove(stream);
			stopWatchingKey();
		});
		// Read when no later change can be missed.
		await sendAll(stream).catch(stream.end);
		if (isStopping) {
			stream.end();
		}

		return reply;
	});
}

/** Begins an answer that lasts until either end closes it. */
function createStream(caller: Caller, reply: FastifyReply) {
	const {raw: response} = reply;
	const sent = new Map<ListName, string>();
	response.writeHead(200, {
		...(reply.getHeaders() as Readonly<Record<string, string>>),
		'content-type': eventStreamType,
		'cache-control': 'no-store',
		// Otherwise nginx holds events back until it has a few kilobytes.
		'x-accel-buffering': 'no',
		connection: 'close',
	});

	const write = (text: string): void => {
		if (response.writableLength > maximumUnreadBytes) {
			response.destroy();
		} else if (!response.writableEnded) {
			response.write(text);
		}
	};

	return {
		caller,
		/**
		Sends the versions that have changed since the last call.

		@param history - the number of the newest entry of the history, as of these versions; `undefined` if no history is kept.
		*/
		send(versions: Partial<ListVersions>, history: number | undefined): void {
			for (const list of listNames) {
				const version = versions[list];
				if (version !== undefined && version !== sent.get(list)) {
					sent.set(list, version);
					write(`event: change\ndata: ${JSON.stringify({resource: list, version, history})}\n\n`);
				}
			}
		},
		keepAlive: (): void => write(': \n\n'),
		end(): void {
			response.end();
		},
	};
}
