import {type FastifyRequest} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyContextConfig {
		/** True if the operation changes something. Its method does not tell: installing is a GET. */
		isWrite?: boolean;
	}
}

/** For a read-only service: refuses every operation that changes something. */
export const refuseWrites = async ({routeOptions}: FastifyRequest): Promise<void> => {
	if (routeOptions.config.isWrite) {
		throw new SwitchboardError('read-only', 'It was started with --read-only, so nothing can be changed here.');
	}
};
