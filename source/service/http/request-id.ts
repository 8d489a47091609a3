import {randomUUID} from 'node:crypto';
import {type IncomingMessage} from 'node:http';
import {type FastifyInstance} from 'fastify';
import {createProxyCheck} from './trusted-proxies.ts';

const header = 'x-request-id';

/** What a proxy may call a request: a UUID and shorter ids, nothing that could end a field of the log. */
const isShortId = (value: unknown): value is string => typeof value === 'string' && /^[\w\-.]{1,64}$/.test(value);

/**
Names requests, so that a line of the log and an answer can be told to belong together: as a trusted proxy names them, else at random.
Other clients name nothing, as they could give theirs the names of others.
*/
export const createRequestIds = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
	const isProxy = createProxyCheck(trustedProxies);
	return ({headers, socket}) => {
		const given = headers[header];
		// 62 random bits; Node.js makes them for many UUIDs at once.
		return isShortId(given) && isProxy(socket.remoteAddress) ? given : randomUUID().slice(-17).replace('-', '');
	};
};

/** Puts the id into each answer, and so also into those that a hook refuses later. */
export const tellRequestIds = (app: FastifyInstance): void => {
	app.addHook('onRequest', ({id}, reply, done) => {
		void reply.header(header, id);
		done();
	});
};
