import {type Operation} from '../interface/endpoints.ts';
import {decodeList, withoutDuplicates} from '../interface/lists.ts';
import {type Records, type Resource} from '../interface/records.ts';
import {type Answer} from './answer.ts';
import {toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import {type Transport} from './transport.ts';

export type ResourceList<Record_> = {
	readonly records: readonly Record_[];
	/** How many entries of the answer were not records. */
	readonly leftOutCount: number;
	/** False if a next page was not read: it is on another host, or there are too many. */
	readonly isComplete: boolean;
	/** The service's ETag for exactly these records. */
	readonly entityTag?: string | undefined;
};

const maximumPages = 200;

/** The limit for all pages of a list together; later pages are ignored. */
const maximumListBytes = 64 * 1024 * 1024;

/** Records that the caller has, by id: those that have not changed stay the same objects. */
export type KnownRecords<R extends Resource> = ReadonlyMap<number, Records[R]> | undefined;

/**
Decodes one page of a list.

@throws SwitchboardError `unintelligible`, saying what the answer contains instead.
*/
export const decodePage = <R extends Resource>(resource: R, answer: Answer, known: KnownRecords<R>) => {
	const page = decodeList(resource, answer.json(), known);
	if (page === undefined) {
		throw toUnintelligibleError(answer, 'a list');
	}

	return page;
};

/**
The address of the next page on the service's own origin; `undefined` if it is on another machine. Services behind a
proxy that ends TLS name themselves with plain http: only host and port must agree.
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

type PageOptions<R extends Resource> = {
	readonly transport: Transport;
	readonly resource: R;
	readonly operation: Operation;
	readonly known: KnownRecords<R>;
	readonly signal?: AbortSignal | undefined;
};

/**
Reads a list, given its first page. Its `next` addresses are followed only on the same origin, and up to a limit
(`LIVE-SERVICE.md`, Records).
*/
export const readPages = async <R extends Resource>(first: Answer, {transport, resource, operation, known, signal}: PageOptions<R>): Promise<ResourceList<Records[R]>> => {
	let byteCount = first.bytes.length;
	const pages = [decodePage(resource, first, known)];
	const visited = new Set([first.url]);
	let answer = first;
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
			throw toAnswerError(answer, transport.keyName);
		}

		byteCount += answer.bytes.length;
		const page = decodePage(resource, answer, known);
		pages.push(page);
		next = page.next;
	}

	return {
		records: withoutDuplicates(pages.flatMap(page => page.records)),
		leftOutCount: pages.reduce((sum, page) => sum + page.leftOutCount, 0),
		isComplete: next === undefined,
		// A tag covers its own page only.
		entityTag: pages.length === 1 && next === undefined ? first.headers.etag : undefined,
	};
};
