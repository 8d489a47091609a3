import {type FastifyReply} from 'fastify';
import {formatListVersions, formerVersionsHeader, listVersionsHeader} from '../../interface/list-versions.ts';
import {
	listNames,
	type ListName,
	type ListVersions,
	type Written,
} from '../store/store.ts';
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

/** Names the version of a list that is answered. */
export const tellVersion = (reply: FastifyReply, list: ListName, version: string): void => {
	void reply.header(listVersionsHeader, formatListVersions({[list]: version}));
};
