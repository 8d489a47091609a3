import type {Client, ResourceList} from '../client/client.ts';
import {isUnknown} from '../client/routes.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {HistoryEntry} from '../interface/history.ts';
import {listNouns} from '../interface/lists.ts';
import {rawName, type Ability, type Records, type Resource} from '../interface/records.ts';
import {readPages} from './history.ts';
import {compareWithKnown, isWhole, type Known, type RecordChange} from './compare-lists.ts';

/** A change, and when it was made or seen. A history also knows its author, and may have kinds and fields that no list has. */
export type SeenChange = Pick<HistoryEntry, 'at' | 'name' | 'record' | 'from' | 'to'> & {
	readonly kind: string;
	readonly field: string;
	readonly by?: string;
	readonly id?: number;
};

export type FollowedOptions = {
	readonly resources: readonly Resource[];
	/**
	`all`: each change once, from the history where there is one, else from the lists. `history`: its entries since the stream was opened.
	*/
	readonly entries: 'all' | 'history';
	readonly signal: AbortSignal;
	readonly note: (sentence: string) => void;
	/** Called with the changes that a list shows, and when the last list without them was requested. */
	readonly onSeen?: (changes: readonly RecordChange[], since: number) => void;
};

/** The lists to read, each with the version in the stream; `undefined` if it names none. */
export type Outdated = ReadonlyMap<Resource, string | undefined>;

/** A stream of changes that was opened; `history` is the number of the newest entry then, `undefined` if the service keeps none. */
export type OpenStream = {readonly history: number | undefined};

export type ReadLists = {readonly [R in Resource]?: ResourceList<Records[R]>};

type Source = Pick<Client, 'list' | 'readHistory'>;

type Read<Found> = {
	readonly changes: readonly Found[];
	/** The reason why not everything could be read; it may pass. */
	readonly failure: SwitchboardError | undefined;
};

/**
Reads lists again and again, and their changes. The changes come from the history if the service's stream names the number of its newest
entry, because the history also has changes that two readings of a list do not show. Until all lists were read without a new entry, changes
are taken from the lists, so that none is reported twice or missed.
*/
export class FollowedChanges {
	readonly #client: Source;
	readonly #options: FollowedOptions;
	readonly #lists: FollowedLists;
	#stream: OpenStream | undefined;
	/** The number of the entry that was read last; `undefined` while changes are taken from the lists. */
	#position: number | undefined;
	#isUseless = false;
	/** The changes in the lists since the history was read. */
	#untold: readonly RecordChange[] = [];

	constructor(client: Source, options: FollowedOptions) {
		this.#client = client;
		this.#options = options;
		this.#lists = new FollowedLists(client, options);
	}

	get lists(): ReadLists {
		return this.#lists.lists;
	}

	/** @throws an error that does not pass, such as `key-refused`, and `not-found` for a service without any of the lists. */
	async read(outdated: Outdated, stream: OpenStream | undefined): Promise<Read<SeenChange>> {
		this.#enter(stream);
		if (this.#options.entries === 'history') {
			const {failure} = await this.#lists.read(outdated);
			const after = this.#position ?? stream?.history;
			// The list says whether the service is away.
			return {changes: after === undefined ? [] : await this.#readAfter(after).catch(() => []), failure};
		}

		if (this.#position === undefined) {
			const {changes, failure} = await this.#begin(outdated);
			return {changes: seenNow(changes), failure};
		}

		// The lists first: then the history has all that they show.
		const {changes, failure} = await this.#lists.read(outdated);
		this.#untold = [...this.#untold, ...changes];
		try {
			const entries = await this.#readAfter(this.#position);
			this.#untold = [];
			return {changes: entries.filter(({kind}) => kind !== 'key'), failure};
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (isOutage(error) || this.#options.signal.aborted) {
				return {changes: [], failure: failure ?? error};
			}

			const untold = this.#untold;
			this.#untold = [];
			this.#isUseless = true;
			this.#position = undefined;
			return {changes: seenNow(untold), failure};
		}
	}

	/** Takes over a stream; a stream that was opened again may belong to another history. */
	#enter(stream: OpenStream | undefined): void {
		if (stream !== this.#stream) {
			this.#stream = stream;
			this.#isUseless = false;
			this.#position = stream?.history === undefined || stream.history < (this.#position ?? 0) ? undefined : this.#position;
		}
	}

	/** Reads the lists, and goes over to the history if no entry comes meanwhile. */
	async #begin(outdated: Outdated): Promise<Read<RecordChange>> {
		const before = this.#stream?.history === undefined || this.#isUseless ? undefined : await this.#newest();
		if (before === undefined) {
			return this.#lists.read(outdated);
		}

		const read = await this.#lists.read(new Map(this.#options.resources.map(resource => [resource, undefined])));
		this.#position = read.failure === undefined && before === (await this.#newest()) ? before : undefined;
		return read;
	}

	async #newest(): Promise<number | undefined> {
		try {
			const {entries} = await this.#client.readHistory({limit: 1}, this.#options.signal);
			return entries[0]?.id ?? 0;
		} catch (error) {
			this.#isUseless = !isOutage(toSwitchboardError(error));
			return undefined;
		}
	}

	/** Reads the entries after a number, the oldest first. Entries that are added meanwhile, or cannot be read, are read the next time. */
	async #readAfter(after: number): Promise<readonly HistoryEntry[]> {
		this.#position = after;
		const entries: HistoryEntry[] = [];
		for await (const page of readPages(async query => this.#client.readHistory(query, this.#options.signal), {after})) {
			entries.push(...page.entries.filter(({id}) => id > after));
		}

		this.#position = entries[0]?.id ?? after;
		return entries.toReversed();
	}
}

function seenNow(changes: readonly RecordChange[]): readonly SeenChange[] {
	const at = new Date().toISOString();
	return changes.map(change => ({...change, at}));
}

/** Tells whether a failure may pass: the service is away, fails or has no time. */
const isOutage = ({exitCode}: SwitchboardError): boolean => exitCode === 5;

/** Abilities first: agents name them. */
const order = ['abilities', 'installed', 'agents'] as const satisfies readonly Resource[];

type Knowledge = {readonly [R in Resource]?: Known<R> & {readonly requestedAt: number}};

/** Reads lists and compares each with its earlier state. A list that the service does not have is noted once and left out. */
class FollowedLists {
	lists: ReadLists = {};
	readonly #client: Pick<Client, 'list'>;
	readonly #options: FollowedOptions;
	#known: Knowledge = {};
	readonly #missing = new Set<Resource>();
	readonly #incomplete = new Set<Resource>();
	#abilitiesBefore: ReadonlyMap<number, Ability> = new Map();
	#isStarted = false;

	constructor(client: Pick<Client, 'list'>, options: FollowedOptions) {
		this.#client = client;
		this.#options = options;
	}

	async read(outdated: Outdated): Promise<Read<RecordChange>> {
		const {signal} = this.#options;
		const changes: RecordChange[] = [];
		let failure: SwitchboardError | undefined;
		for (const resource of order.filter(each => outdated.has(each) && !this.#missing.has(each))) {
			try {
				changes.push(...(await this.#readOne(resource, outdated.get(resource))));
			} catch (error) {
				failure ??= this.#handleError(resource, error);
			}

			// The next list would only make the caller wait as long again.
			if (failure?.kind === 'unreachable' || failure?.kind === 'timeout' || signal.aborted) {
				break;
			}
		}

		if (!this.#isStarted && failure === undefined && !signal.aborted) {
			this.#noteStart();
		}

		return {changes, failure};
	}

	async #readOne<R extends Resource>(resource: R, version: string | undefined): Promise<readonly RecordChange[]> {
		const before: ReadLists[R] = this.lists[resource];
		if (before !== undefined && version !== undefined && before.version === version) {
			return [];
		}

		const requestedAt = Date.now();
		const list = await this.#client.list(resource, this.#options.signal, before);
		this.lists = {...this.lists, [resource]: list};
		if (!isWhole(list) && !this.#incomplete.has(resource)) {
			this.#incomplete.add(resource);
			this.#note(`The list of ${listNouns[resource]} is incomplete: what comes and goes in it is not reported until it is whole.`);
		}

		const abilities = this.#known.abilities?.records ?? this.#abilitiesBefore;
		const nameOf = (id: number): string => {
			const ability = abilities.get(id) ?? this.#abilitiesBefore.get(id);
			return ability === undefined ? `#${id}` : rawName(ability);
		};

		const knownBefore: Knowledge[R] = this.#known[resource];
		const {known, changes} = compareWithKnown(resource, knownBefore, list, nameOf);
		this.#abilitiesBefore = resource === 'abilities' ? abilities : this.#abilitiesBefore;
		this.#known = {...this.#known, [resource]: {...known, requestedAt}};
		this.#options.onSeen?.(changes, knownBefore?.requestedAt ?? requestedAt);
		return changes;
	}

	/**
	Returns the error if it may pass. A known path that is suddenly not found may also pass: a proxy may be answering for the service.
	*/
	#handleError(resource: Resource, error_: unknown): SwitchboardError | undefined {
		const error = toSwitchboardError(error_);
		const {message, nextStep, status} = error;
		if (!isUnknown(error)) {
			// A request that the signal cuts short fails too.
			if (isOutage(error) || this.#options.signal.aborted) {
				return error;
			}

			throw error_;
		}

		if (this.lists[resource] !== undefined) {
			return new SwitchboardError('server-error', message, {nextStep, status, cause: error});
		}

		this.#missing.add(resource);
		if (this.#missing.size === this.#options.resources.length) {
			throw new SwitchboardError('not-found', message, {nextStep, status, cause: error});
		}

		this.#note(`The service has no list of ${listNouns[resource]} (HTTP ${status}): they are not watched.`);
		return undefined;
	}

	#noteStart(): void {
		const seen = order.filter(resource => this.#known[resource] !== undefined);
		this.#isStarted = seen.length === this.#options.resources.length - this.#missing.size;
		if (this.#isStarted) {
			this.#note('Watching. Ctrl+C stops.');
		}
	}

	#note(sentence: string): void {
		if (this.#options.entries === 'all') {
			this.#options.note(sentence);
		}
	}
}
