import {type Operation} from '../interface/endpoints.ts';
import {decodeList, withoutDuplicates} from '../interface/lists.ts';
import {type Records, type Resource} from '../interface/records.ts';
import {toUnintelligibleError, toAnswerError} from './answer-errors.ts';
import {type Router} from './routes.ts';
import {type Answer} from './answer.ts';

export type ResourceList<Record_> = {
	readonly records: readonly Record_[];
	/** How many entries the service sent that were no record at all. */
	readonly leftOutCount: number;
	/** False where the service pointed to a next page that was not followed: on another machine, or without end. */
	readonly isComplete: boolean;
};

const listOperations = {
	agents: 'listAgents',
	abilities: 'listAbilities',
	installed: 'listInstalled',
} as const satisfies Record<Resource, Operation>;

const maximumPages = 200;

/** All pages of a list together are no larger; the pages after that are left out. */
const maximumListBytes = 64 * 1024 * 1024;

/** The list of a resource on one page of an answer, or the error that says what came instead. */
export const decodePage = <R extends Resource>(resource: R, answer: Answer, origin: string) => {
	const page = decodeList(resource, answer.json());
	if (page === undefined) {
		throw toUnintelligibleError(answer, origin, 'a list');
	}

	return page;
};

/**
The address of the next page on the service's own origin; `undefined` where it points to another machine. Services
behind a proxy that ends TLS name themselves with plain http: only host and port must agree.
*/
const nextPage = (next: string, current: string): string | undefined => {
	if (!URL.canParse(next, current)) {
		return undefined;
	}

	const {protocol, hostname, pathname, search, port} = new URL(next, current);
	const own = new URL(current);
	const isSamePort = [own.port, '', '80'].includes(port);
	return /^https?:$/.test(protocol) && hostname === own.hostname && isSamePort ? own.origin + pathname + search : undefined;
};

type ReadPages<Record_> = ResourceList<Record_> & {readonly pageCount: number};

/**
Follows a list's `next` addresses from its first answer on, on the same origin only and not without end
(`LIVE-SERVICE.md`, Records).
*/
const readPages = async <R extends Resource>(router: Router, resource: R, first: Answer, signal?: AbortSignal): Promise<ReadPages<Records[R]>> => {
	const {transport} = router;
	const operation = listOperations[resource];
	const pages = [decodePage(resource, first, transport.baseAddress)];
	const visited = new Set([first.url]);
	let answer = first;
	let byteCount = first.bytes.length;
	let next = pages[0]?.next;
	while (next !== undefined) {
		const address = nextPage(next, answer.url);
		if (address === undefined || visited.has(address) || pages.length >= maximumPages || byteCount > maximumListBytes) {
			break;
		}

		visited.add(address);
		answer = await transport.send({
			operation, method: 'GET', path: address, signal,
		});
		if (answer.status < 200 || answer.status >= 300) {
			throw toAnswerError(answer, transport);
		}

		byteCount += answer.bytes.length;
		const page = decodePage(resource, answer, transport.baseAddress);
		pages.push(page);
		next = page.next;
	}

	return {
		records: withoutDuplicates(pages.flatMap(page => page.records)),
		leftOutCount: pages.reduce((sum, page) => sum + page.leftOutCount, 0),
		isComplete: next === undefined,
		pageCount: pages.length,
	};
};

export type ListReader = <R extends Resource>(resource: R, signal?: AbortSignal) => Promise<ResourceList<Records[R]>>;

/**
Reads lists, conditionally where the service gave an ETag: an unchanged list is answered with 304 and comes back as the
very object of the time before.
*/
export const createListReader = (router: Router): ListReader => {
	const known = new Map<Resource, {readonly entityTag: string; readonly list: ResourceList<unknown>}>();

	return async <R extends Resource>(resource: R, signal?: AbortSignal) => {
		const before = known.get(resource);
		const answer = await router.call(listOperations[resource], undefined, {
			signal,
			...(before !== undefined && {headers: {'if-none-match': before.entityTag}}),
		});
		if (answer.status === 304 && before !== undefined) {
			return before.list as ResourceList<Records[R]>;
		}

		const {pageCount, ...list} = await readPages(router, resource, answer, signal);
		const entityTag = answer.headers['etag'];
		// A tag speaks for its own page only.
		if (entityTag !== undefined && pageCount === 1 && list.isComplete) {
			known.set(resource, {entityTag, list});
		} else {
			known.delete(resource);
		}

		return list;
	};
};
