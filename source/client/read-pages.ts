import {setImmediate as nextTurn} from 'node:timers/promises';
import {listVersionsHeader, type Operation} from '../interface/endpoints.ts';
import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {
	decodeListInSteps,
	type DecodedList,
	findNext,
	listNouns,
	maximumListRecords,
	withoutDuplicates,
} from '../interface/lists.ts';
import {counted, formatCount} from '../interface/format-count.ts';
import {type Records, type Resource} from '../interface/records.ts';
import {type Answer} from './answer.ts';
import {toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import {versionsIn} from './list-versions.ts';
import {isKeyRemoved} from './redact-key.ts';
import {type Transport} from './transport.ts';

export type ResourceList<Record_> = {
	readonly records: readonly Record_[];
	/** How many entries of the answer were not records. */
	readonly leftOutCount: number;
	/** False if a next page was not read: it is on another host, or was read before. */
	readonly isComplete: boolean;
	/** The service's ETag for exactly these records. */
	readonly entityTag?: string | undefined;
	/** The version that the service gives the list: what it has told of later ones is not in it. */
	readonly version?: string | undefined;
};

/** Enough for 10,000 records with the smallest pages that are usual. */
const maximumPages = 500;

/** The limit for all pages of a list together. */
const maximumListBytes = 64 * 1024 * 1024;

/** Records that the caller has, by id: those that have not changed stay the same objects. */
export type KnownRecords<R extends Resource> = ReadonlyMap<number, Records[R]> | undefined;

/** How much of a list was read. */
type Extent = {readonly pageCount: number; readonly recordCount: number};

/** The error of a list that is not read to its end. */
const toIncompleteError = (kind: ErrorKind, reason: string, {pageCount, recordCount}: Extent, nextStep: string | undefined): SwitchboardError =>
	new SwitchboardError(kind, `${reason} Read so far: ${counted(recordCount, 'record')} on ${counted(pageCount, 'page')}; the list is not complete.`, {nextStep});

const toTooLongError = (resource: Resource, extent: Extent): SwitchboardError => toIncompleteError(
	'unintelligible',
	`The list of ${listNouns[resource]} is longer than the limit of ${formatCount(maximumListRecords)} records, ${formatCount(maximumPages)} pages and ${maximumListBytes / 1024 / 1024} MiB.`,
	extent,
	'Check the address of the service.',
);

/** Signals and keys have their turn while a long list is decoded. */
const decodeInTurns = async <R extends Resource>(...parameters: Parameters<typeof decodeListInSteps<R>>): Promise<DecodedList<Records[R]> | undefined> => {
	const steps = decodeListInSteps(...parameters);
	let step = steps.next();
	while (!step.done) {
		await nextTurn();
		step = steps.next();
	}

	return step.value;
};

/**
Decodes one page of a list.

@throws SwitchboardError `unintelligible`, saying what the answer contains instead of a list, or that the list is too long.
*/
export const decodePage = async <R extends Resource>(resource: R, answer: Answer, known: KnownRecords<R>): Promise<DecodedList<Records[R]>> => {
	const page = await decodeInTurns(resource, answer.json(), known);
	if (page === undefined) {
		throw toUnintelligibleError(answer, 'a list');
	}

	if (page.entryCount > maximumListRecords) {
		throw toTooLongError(resource, {pageCount: 1, recordCount: page.entryCount});
	}

	// The address of the next page may hold the key.
	return page.next !== undefined && isKeyRemoved(page.next) ? {...page, next: findNext(answer.originalJson())} : page;
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

/** Reads a list page by page, up to its limits. */
const createPageReader = async <R extends Resource>(first: Answer, {transport, resource, operation, known, signal}: PageOptions<R>) => {
	const pages: Array<DecodedList<Records[R]>> = [];
	const timeLimit = AbortSignal.timeout(transport.listMilliseconds);
	let byteCount = 0;
	let recordCount = 0;

	const add = async (answer: Answer): Promise<void> => {
		const page = await decodePage(resource, answer, known);
		pages.push(page);
		byteCount += answer.bytes.length;
		recordCount += page.entryCount;
		const extent = {pageCount: pages.length, recordCount};
		if (recordCount > maximumListRecords || (page.next !== undefined && (pages.length >= maximumPages || byteCount > maximumListBytes))) {
			throw toTooLongError(resource, extent);
		}

		transport.onPage?.({resource, ...extent});
	};

	/** A time-out after some pages says how many. */
	const explain = (error: unknown): unknown => {
		const extent = {pageCount: pages.length, recordCount};
		if (timeLimit.aborted && !signal?.aborted) {
			const reason = `Reading the list of ${listNouns[resource]} took longer than ${transport.listMilliseconds / 1000} s.`;
			return toIncompleteError('timeout', reason, extent, 'Try again, or allow more time with --timeout SECONDS.');
		}

		return error instanceof SwitchboardError && error.kind === 'timeout' ? toIncompleteError(error.kind, error.message, extent, error.nextStep) : error;
	};

	await add(first);
	return {
		pages,
		async read(address: string): Promise<Answer> {
			try {
				const answer = await transport.send({
					operation, method: 'GET', path: address, signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
				});
				if (answer.status < 200 || answer.status >= 300) {
					throw toAnswerError(answer, transport.keyName);
				}

				await add(answer);
				return answer;
			} catch (error) {
				throw explain(error);
			}
		},
	};
};

/**
Reads a list, given its first page. Its `next` addresses are followed only on the same origin, and up to a limit
(`LIVE-SERVICE.md`, Records).

@throws SwitchboardError `unintelligible` for a list beyond the limits, `timeout` for one that takes too long; both say how much was read.
*/
export const readPages = async <R extends Resource>(first: Answer, options: PageOptions<R>): Promise<ResourceList<Records[R]>> => {
	const {pages, read} = await createPageReader(first, options);
	const visited = new Set([first.url]);
	let answer = first;
	let next = pages[0]?.next;
	while (next !== undefined) {
		const address = nextPage(next, answer.url);
		if (address === undefined || visited.has(address)) {
			break;
		}

		visited.add(address);
		answer = await read(address);
		next = pages.at(-1)!.next;
	}

	return {
		records: withoutDuplicates(pages.flatMap(page => page.records)),
		leftOutCount: pages.reduce((sum, page) => sum + page.leftOutCount, 0),
		isComplete: next === undefined,
		// A tag covers its own page only.
		entityTag: pages.length === 1 && next === undefined ? first.headers.etag : undefined,
		version: versionsIn(first.headers, listVersionsHeader)[options.resource],
	};
};
