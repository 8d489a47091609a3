import {listVersionsHeader, type Operation} from '../interface/endpoints.ts';
import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {counted, formatCount} from '../interface/format-count.ts';
import {decodeListInSteps, type DecodedList, findNext, listNouns, maximumListRecords, withoutDuplicates} from '../interface/lists.ts';
import type {Records, Resource} from '../interface/records.ts';
import type {Answer} from './answer.ts';
import {toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import {versionsIn} from './list-versions.ts';
import {isKeyRemoved} from './redact-key.ts';
import {createRouter, isUnknown, type Router} from './routes.ts';
import type {Transport} from './transport.ts';

export type ResourceList<Record_> = {
	readonly records: readonly Record_[];
	readonly leftOutCount: number;
	/** False if a next page was not read: it is on another host, or was read before. */
	readonly isComplete: boolean;
	/** The service's ETag for exactly these records. */
	readonly entityTag?: string | undefined;
	/** The version that the service gives the list; changes after it are not in the list. */
	readonly version?: string | undefined;
};

/** Enough for 10,000 records with the smallest pages that are usual. */
const maximumPages = 500;

/** The limit for all pages of a list together. */
const maximumListBytes = 64 * 1024 * 1024;

const listLimits = `${formatCount(maximumListRecords)} records, ${formatCount(maximumPages)} pages and ${maximumListBytes / 1024 / 1024} MB`;

/**
Returns an address that the service sent, such as that of the next page, on the service's own origin; `undefined` if it is on another
machine. Services behind a proxy that ends TLS name themselves with plain http: only host and port must agree.
*/
export function onOwnOrigin(address: string, current: string): string | undefined {
	if (!URL.canParse(address, current)) {
		return undefined;
	}

	const {protocol, hostname, pathname, search, port} = new URL(address, current);
	const own = new URL(current);
	const isSamePort = [own.port, '', '80'].includes(port);
	return /^https?:$/.test(protocol) && hostname === own.hostname && isSamePort ? own.origin + pathname + search : undefined;
}

const listOperations = {agents: 'listAgents', abilities: 'listAbilities', installed: 'listInstalled'} as const satisfies Record<
	Resource,
	Operation
>;

type ListOf<R extends Resource> = ResourceList<Records[R]>;

/** Returns the routes of one service, and its lists: the client's operations work on it. */
export function createConnection(transport: Transport) {
	const router = createRouter(transport);
	return {
		...router,
		/**
		Lists the records of a resource. If the service does not know the path for agents, the body-style operation lists them.

		@param before - the list that the caller has. Records that have not changed stay the same objects; if the service sent an ETag
		with that list and answers that nothing has changed (304), the list itself is returned, or one with its records and its version now.
		*/
		async list<R extends Resource>(resource: R, signal?: AbortSignal, before?: ListOf<R>): Promise<ListOf<R>> {
			try {
				return await readDocumented(router, resource, signal, before);
			} catch (error) {
				if (resource !== 'agents' || !isUnknown(error)) {
					throw error;
				}

				try {
					return (await listAgentsBodyStyle(router, signal, before as ListOf<'agents'> | undefined)) as ListOf<R>;
				} catch (bodyStyleError) {
					// If neither path returns a list, report the error of the documented one.
					throw bodyStyleError instanceof SwitchboardError && bodyStyleError.status === undefined ? bodyStyleError : error;
				}
			}
		},
	};
}

async function readDocumented<R extends Resource>(
	{call, transport}: Router,
	resource: R,
	signal?: AbortSignal,
	before?: ListOf<R>,
): Promise<ListOf<R>> {
	const operation = listOperations[resource];
	const entityTag = before?.entityTag;
	const answer = await call(operation, undefined, {signal, ...(entityTag !== undefined && {headers: {'if-none-match': entityTag}})});
	if (answer.status !== 304 || before === undefined) {
		return readPages(answer, {transport, resource, operation, known: byId(before), signal});
	}

	const version = versionsIn(answer.headers, listVersionsHeader)[resource];
	return version === before.version ? before : {...before, version};
}

/** Records that the caller has, by id: those that have not changed stay the same objects. */
type KnownRecords<R extends Resource> = ReadonlyMap<number, Records[R]> | undefined;

type PageOptions<R extends Resource> = {
	readonly transport: Transport;
	readonly resource: R;
	readonly operation: Operation;
	readonly known: KnownRecords<R>;
	readonly signal?: AbortSignal | undefined;
};

/**
Reads a list, given its first page. Its `next` addresses are followed only on the same origin, and up to a limit
(`docs/interface.md`, Records).

@throws SwitchboardError `unintelligible` for a list beyond the limits, `timeout` for one that takes too long; both say how much was read.
*/
async function readPages<R extends Resource>(
	first: Answer,
	{transport, resource, operation, known, signal}: PageOptions<R>,
): Promise<ListOf<R>> {
	const timeLimit = AbortSignal.timeout(transport.listMilliseconds);
	const pages: Array<DecodedList<Records[R]>> = [];
	const visited = new Set<string | undefined>([first.url]);
	let byteCount = 0;
	let recordCount = 0;

	/** Decodes a page; returns the address of the next one, if it is to be read. */
	const add = async (answer: Answer): Promise<string | undefined> => {
		const page = await decodePage(resource, answer, known);
		pages.push(page);
		byteCount += answer.bytes.length;
		recordCount += page.entryCount;
		const extent = {pageCount: pages.length, recordCount};
		if (recordCount > maximumListRecords || (page.next !== undefined && (pages.length >= maximumPages || byteCount > maximumListBytes))) {
			throw toTooLongError(resource, extent);
		}

		transport.onPage?.({resource, ...extent});
		const address = page.next === undefined || transport.isReplaced(operation) ? undefined : onOwnOrigin(page.next, answer.url);
		return visited.has(address) ? undefined : address;
	};

	const read = async (address: string): Promise<Answer> => {
		const answer = await transport.send({
			operation,
			method: 'GET',
			path: address,
			signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
		});
		if (answer.status < 200 || answer.status >= 300) {
			throw toAnswerError(answer, transport.keyName);
		}

		return answer;
	};

	try {
		for (let address = await add(first); address !== undefined; address = await add(await read(address))) {
			visited.add(address);
		}
	} catch (error) {
		const extent = {pageCount: pages.length, recordCount};
		if (timeLimit.aborted && !signal?.aborted) {
			const reason = `Reading the list of ${listNouns[resource]} took longer than ${transport.listMilliseconds / 1000} s.`;
			throw toIncompleteError('timeout', reason, extent, 'Try again, or allow more time with --timeout DURATION.');
		}

		throw error instanceof SwitchboardError && error.kind === 'timeout'
			? toIncompleteError(error.kind, error.message, extent, error.nextStep)
			: error;
	}

	const isComplete = pages.at(-1)!.next === undefined;
	return {
		records: withoutDuplicates(pages.flatMap(page => page.records)),
		leftOutCount: pages.reduce((sum, page) => sum + page.leftOutCount, 0),
		isComplete,
		// A tag covers its own page only.
		entityTag: pages.length === 1 && isComplete ? first.headers.etag : undefined,
		version: versionsIn(first.headers, listVersionsHeader)[resource],
	};
}

/**
Decodes one page of a list.

@throws SwitchboardError `unintelligible`: the answer has something else instead of a list, or the list is too long.
*/
async function decodePage<R extends Resource>(resource: R, answer: Answer, known: KnownRecords<R>): Promise<DecodedList<Records[R]>> {
	const page = await decodeListInSteps(resource, answer.json(), known);
	if (page === undefined) {
		throw toUnintelligibleError(answer, 'a list');
	}

	if (page.entryCount > maximumListRecords) {
		throw toTooLongError(resource, {pageCount: 1, recordCount: page.entryCount});
	}

	// The address of the next page may hold the key.
	return page.next !== undefined && isKeyRemoved(page.next) ? {...page, next: findNext(answer.originalJson())} : page;
}

type Extent = {readonly pageCount: number; readonly recordCount: number};

const toTooLongError = (resource: Resource, extent: Extent): SwitchboardError =>
	toIncompleteError(
		'unintelligible',
		`The list of ${listNouns[resource]} is longer than the limit of ${listLimits}.`,
		extent,
		'Check the address of the service.',
	);

/** The error of a list that is not read to its end. */
const toIncompleteError = (
	kind: ErrorKind,
	reason: string,
	{pageCount, recordCount}: Extent,
	nextStep: string | undefined,
): SwitchboardError =>
	new SwitchboardError(
		kind,
		`${reason} Read so far: ${counted(recordCount, 'record')} on ${counted(pageCount, 'page')}; the list is not complete.`,
		{nextStep},
	);

const byId = <R extends Resource>(list: ListOf<R> | undefined): KnownRecords<R> =>
	list && new Map(list.records.map(record => [record.id, record]));

/** Lists the agents by the operation that takes the key in the body, with the fields that public clients send. */
async function listAgentsBodyStyle(
	{call}: Router,
	signal: AbortSignal | undefined,
	before: ListOf<'agents'> | undefined,
): Promise<ListOf<'agents'>> {
	const answer = await call('listAgentsBodyStyle', undefined, {json: {with_image: true}, signal});
	const {records, leftOutCount, next} = await decodePage('agents', answer, byId(before));
	// A next page would be requested with GET, which has no body for the key.
	return {records, leftOutCount, isComplete: next === undefined};
}

export type Connection = ReturnType<typeof createConnection>;
