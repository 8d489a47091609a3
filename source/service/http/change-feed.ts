import {type FastifyInstance} from 'fastify';
import {changeFeedPath} from '../../interface/endpoints.ts';
import {type Store} from '../store/store.ts';
import {createChangeStream} from './change-stream.ts';
import {type Connections} from './connections.ts';
import {type LineLimits} from './line-limits.ts';
import {createOpenStreams} from './open-streams.ts';

/** How long a client that has too many streams is asked to wait. */
const retryAfterSeconds = 30;

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
	const streams = createOpenStreams(store, limits);
	app.addHook('preClose', async () => {
		streams.endAll();
	});
	app.get(changeFeedPath, {schema: {hide: true}}, async (request, reply) => {
		await store.checkVersion();
		// It may have gone while that and its key were checked.
		if (request.raw.socket.destroyed) {
			return reply.hijack();
		}

		const stream = createChangeStream(request, reply);
		void reply.header('retry-after', retryAfterSeconds);
		streams.add(stream);
		void reply.removeHeader('retry-after');
		reply.raw.once('close', () => {
			streams.remove(stream);
		});
		connections.keepOpen(request.raw);
		// Read when nothing that follows can be missed.
		const {versions = stream.caller.versions} = await store.accounts.find(stream.caller.account) ?? {};
		stream.tell(versions);
		stream.begin();
		return reply;
	});
};
