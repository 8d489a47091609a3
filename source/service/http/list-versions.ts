import {type FastifyReply} from 'fastify';
import {type Written} from '../store/store.ts';

/** The header of an answer to a change that names the new versions of the lists that it changed: `installed=TOKEN, abilities=TOKEN`. */
export const listVersionsHeader = 'list-versions';

/** Tells the client which lists it changed, and returns what is answered otherwise. */
export const tellVersions = <Result>(reply: FastifyReply, {result, versions}: Written<Result>): Result => {
	const changed = Object.entries(versions).map(([list, version]) => `${list}=${version}`);
	if (changed.length > 0) {
		void reply.header(listVersionsHeader, changed.join(', '));
	}

	return result;
};
