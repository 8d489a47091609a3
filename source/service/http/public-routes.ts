import swagger from '@fastify/swagger';
import type {FastifyInstance} from 'fastify';
import {apiKeyHeader, descriptionPath} from '../../interface/endpoints.ts';
import {inTime} from '../../platform/timers.ts';
import {joinRuns} from '../../platform/turns.ts';
import type {Store} from '../store/store.ts';

export const healthPath = '/healthz';

export const readinessPath = '/readyz';

/** A database that takes longer to answer counts as unavailable. */
const patienceMilliseconds = 1800;

/** Generates the OpenAPI document from the schemas of the routes that are added afterwards. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Switchboard',
				description: 'Agents, abilities and installed abilities. Every path also works without its trailing slash.',
				version: '1',
				license: {name: 'MIT', identifier: 'MIT'},
			},
			// Relative to the address of the document.
			servers: [{url: '/'}],
			components: {securitySchemes: {apiKey: {type: 'apiKey', in: 'header', name: apiKeyHeader.toUpperCase()}}},
		},
	});
}

/**
Serves the routes that need no key because they show no data of an account: the OpenAPI document and, for monitoring, whether the service
runs (`/healthz`) and can use its database (`/readyz`).
*/
export function addPublicRoutes(app: FastifyInstance, store: Pick<Store, 'ready'>): void {
	const isReady = createReadiness(store);
	const options = {schema: {hide: true}, exposeHeadRoute: true};
	app.get(descriptionPath, options, async () => app.swagger());
	app.get(healthPath, options, async () => ({ok: true}));
	app.get(readinessPath, options, async (_request, reply) =>
		(await isReady()) ? {ok: true} : reply.code(503).send({detail: 'The database cannot be used now.'}),
	);
}

/** Asks the database once for all requests: many may come at once, and without a key. */
function createReadiness(store: Pick<Store, 'ready'>): () => Promise<boolean> {
	const ask = joinRuns(async () => {
		await store.ready();
		return true;
	});
	return async () => (await inTime(ask(), patienceMilliseconds).catch(() => false)) ?? false;
}
