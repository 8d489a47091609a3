import {type FastifyReply, type FastifyRequest, type onRequestHookHandler} from 'fastify';
import {changeFeedPath} from '../../interface/endpoints.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {healthPath, readinessPath} from './health.ts';

/** The methods of the paths that are no operations. A wrong method for an operation is a path that does not exist, as clients expect (`LIVE-SERVICE.md`). */
const methods: Readonly<Partial<Record<string, string>>> = {
	[changeFeedPath]: 'GET',
	[healthPath]: 'GET, HEAD',
	[readinessPath]: 'GET, HEAD',
};

/**
Refuses what no route answers.

@throws SwitchboardError `not-found`
*/
export const refuseUnknown = async ({url}: FastifyRequest, reply: FastifyReply): Promise<void> => {
	const allow = methods[url.replace(/\/?(?:\?.*)?$/, '')];
	if (allow === undefined) {
		throw new SwitchboardError('not-found', 'This endpoint does not exist.');
	}

	await reply.code(405).header('allow', allow).send({detail: `This endpoint accepts no other methods than: ${allow}.`});
};

/** The same for `onRequest`, before the body is read. */
export const refuseUnknownAtOnce: onRequestHookHandler = (request, reply, done) => {
	if (request.is404) {
		refuseUnknown(request, reply).catch(done);
	} else {
		done();
	}
};
