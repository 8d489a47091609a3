import {type FastifyReply} from 'fastify';
import {formerVersionsHeader, listVersionsHeader} from '../../interface/endpoints.ts';
import {
	listNames,
	type ListName,
	type ListVersions,
	type Written,
} from '../store/store.ts';

/** As they stand in a header. */
const formatVersions = (versions: Partial<ListVersions>): string =>
	listNames.filter(list => versions[list] !== undefined).map(list => `${list}=${versions[list]}`).join(', ');

/** An event of the change feed. */
export const formatChange = (resource: ListName, version: string): string =>
	`event: change\ndata: ${JSON.stringify({resource, version})}\n\n`;

const only = (versions: ListVersions, wanted: Partial<ListVersions>): Partial<ListVersions> =>
	Object.fromEntries(listNames.filter(name => wanted[name] !== undefined).map(name => [name, versions[name]]));

/** Tells the client which lists it changed, and from which versions, and returns what is answered otherwise. */
export const tellVersions = <Result>(reply: FastifyReply, {result, versions, former}: Written<Result>): Result => {
	const changed = formatVersions(versions);
	if (changed !== '') {
		void reply.header(listVersionsHeader, changed);
		void reply.header(formerVersionsHeader, formatVersions(only(former, versions)));
	}

	return result;
};

/** Names the version of a list that is answered. */
export const tellVersion = (reply: FastifyReply, list: ListName, version: string): void => {
	void reply.header(listVersionsHeader, formatVersions({[list]: version}));
};
