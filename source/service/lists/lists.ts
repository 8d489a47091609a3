import {type Caller} from '../callers.ts';
import {type Release} from '../http/room.ts';
import {chooseCoding, type Coding, leastCompressedBytes} from './content-coding.ts';
import {createListCache, type ListText} from './list-cache.ts';
import {type ListForm} from './list-form.ts';
import {writeList} from './write-list.ts';

/** All lists that are kept to be sent again. */
const cacheBytes = 64 * 1024 * 1024;

/** A list that is being read and written, and how many wait for it. */
type Flight = {
	readonly text: Promise<ListText | undefined>;
	readonly abandoned: AbortController;
	waitingCount: number;
};

/** Who asks for a list. */
export type Asker = {
	readonly caller: Caller;
	/** The address that what it takes counts for. */
	readonly group: string;
	/** Aborted when the sender has gone. */
	readonly gone: AbortSignal;
};

export type Lists = {
	/** A list that need not be read. */
	find(form: ListForm, caller: Caller): ListText | undefined;
	/**
	A list that is at least as new as the version that the caller's key came with. All who wait for the same list share one read.

	@returns `undefined` if there is no room for it in memory, or if nobody waits for it any more.
	*/
	read(form: ListForm, asker: Asker): Promise<ListText | undefined>;
	/** The coding in which to send a list to a client that sent this `Accept-Encoding`; `undefined` to send it as it is. */
	codingOf(text: ListText, acceptEncoding: string | undefined): Coding | undefined;
};

type ListsOptions = {
	/**
	Waits for the memory that a list takes while it is read and written; `undefined` if there is none in time, or if the signal says
	that it is not needed any more.
	*/
	readonly takeRoom: (group: string, signal: AbortSignal) => Promise<Release | undefined>;
	/** False where no line is between service and client. */
	readonly isCompressing: boolean;
};

const keyOf = ({name}: ListForm, {accountId}: Caller): string => `${accountId} ${name}`;

export const createLists = ({takeRoom, isCompressing}: ListsOptions): Lists => {
	const cache = createListCache(cacheBytes);
	const flights = new Map<string, Flight>();

	const make = async (form: ListForm, {caller, group}: Asker, abandoned: AbortSignal): Promise<ListText | undefined> => {
		const release = await takeRoom(group, abandoned);
		try {
			if (release === undefined || abandoned.aborted) {
				return undefined;
			}

			const {version, records} = await form.read(caller.accountId);
			const bytes = await writeList(records, form.frame, () => !abandoned.aborted);
			return bytes && cache.add(keyOf(form, caller), version, bytes);
		} finally {
			release?.();
		}
	};

	const start = (form: ListForm, asker: Asker): Flight => {
		const key = keyOf(form, asker.caller);
		const abandoned = new AbortController();
		const land = (): void => {
			if (flights.get(key) === flight) {
				flights.delete(key);
			}
		};

		const text = make(form, asker, abandoned.signal).finally(land);
		const flight: Flight = {text, abandoned, waitingCount: 0};
		abandoned.signal.addEventListener('abort', land, {once: true});
		flights.set(key, flight);
		return flight;
	};

	const wait = async (flight: Flight, {gone}: Asker): Promise<ListText | undefined> => {
		const leave = (): void => {
			flight.waitingCount--;
			if (flight.waitingCount === 0) {
				flight.abandoned.abort();
			}
		};

		flight.waitingCount++;
		gone.addEventListener('abort', leave, {once: true});
		try {
			return await flight.text;
		} finally {
			gone.removeEventListener('abort', leave);
		}
	};

	return {
		codingOf: ({bytes}, acceptEncoding) => isCompressing && bytes.length >= leastCompressedBytes ? chooseCoding(acceptEncoding) : undefined,
		find: (form, caller) => cache.find(keyOf(form, caller), caller.versions[form.list]),
		async read(form, asker) {
			if (asker.gone.aborted) {
				return undefined;
			}

			const key = keyOf(form, asker.caller);
			const earlier = flights.get(key);
			if (earlier !== undefined) {
				// It may have been read before the version that the key came with.
				const text = await wait(earlier, asker);
				if (text === undefined || asker.gone.aborted || text.version === asker.caller.versions[form.list]) {
					return text;
				}
			}

			// Whatever began since then is new enough.
			return wait(flights.get(key) ?? start(form, asker), asker);
		},
	};
};
