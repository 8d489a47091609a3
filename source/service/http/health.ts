import {type FastifyInstance, type RouteOptions} from 'fastify';
import {inTime} from '../../platform/in-time.ts';
import {type Store} from '../store/store.ts';

export const healthPath = '/healthz';
export const readinessPath = '/readyz';

/** A database that takes longer to answer counts as away. */
const patienceMilliseconds = 2000;

/** Many may ask at once, and without a key: the database is asked once. */
const createReadiness = (store: Pick<Store, 'ready'>): (() => Promise<boolean>) => {
	let underWay: Promise<boolean> | undefined;

	const check = async (): Promise<boolean> => {
		try {
			await store.ready();
			return true;
		} catch {
			return false;
		} finally {
			underWay = undefined;
		}
	};

	return async () => {
		underWay ??= check();
		return await inTime(underWay, patienceMilliseconds) ?? false;
	};
};

/**
Tells programs that watch over the service, without a key, that it runs (`/healthz`) and that it can do its work (`/readyz`).
While it stops, nothing is accepted any more.
*/
export const addHealth = (app: FastifyInstance, store: Pick<Store, 'ready'>): void => {
	const isReady = createReadiness(store);
	const options: Pick<RouteOptions, 'method' | 'schema'> = {method: ['GET', 'HEAD'], schema: {hide: true}};
	app.route({...options, url: healthPath, handler: async () => ({ok: true})});
	app.route({
		...options,
		url: readinessPath,
		async handler(_request, reply) {
			if (await isReady()) {
				return {ok: true};
			}

			void reply.code(503);
			return {detail: 'The database cannot be used now.'};
		},
	});
};
