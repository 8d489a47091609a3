import {type FastifyReply, type FastifyRequest} from 'fastify';
import {formatListVersions, formerVersionsHeader, listVersionsHeader} from '../../interface/list-versions.ts';
import {listNames, type ListVersions, type Written} from '../store/store.ts';
import {callerOf} from './authorize.ts';

const only = (versions: ListVersions, wanted: Partial<ListVersions>): Partial<ListVersions> =>
	Object.fromEntries(listNames.filter(name => wanted[name] !== undefined).map(name => [name, versions[name]]));

/** Tells the client which lists it changed, and from which versions, and returns what is answered otherwise. */
export const tellVersions = <Result>(reply: FastifyReply, {result, versions}: Written<Result>): Result => {
	const changed = formatListVersions(versions);
	if (changed !== '') {
		void reply.header(listVersionsHeader, changed);
		void reply.header(formerVersionsHeader, formatListVersions(only(callerOf(reply.request).versions, versions)));
	}

	return result;
};

/** For `onRequest`, once the key is accepted: names the versions that the lists have at least. */
export const tellReadVersions = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
	void reply.header(listVersionsHeader, formatListVersions(callerOf(request).versions));
};
