import {SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {isSameJson} from '../interface/json.ts';
import {goneText} from '../interface/lists.ts';
import type {Records, Resource} from '../interface/records.ts';
import {changesAtATime, sendChanges, type ChangeOutcome, type FailedChange} from './send-changes.ts';
import {findField, hasValues, isSameValue, plainValue, type Values} from './fields.ts';
import type {Group} from './log-lines.ts';

/*
The queue of a session's changes. Each record has at most one request in flight; later requests for the same fields are folded into the
values wanted last. Nothing is resent automatically. The cost of an answer does not grow with the number of waiting changes.
*/

type AnyRecord = Records[Resource];

type Wish = {
	readonly resource: Resource;
	readonly id: number;
	readonly values: Values;
	/**
	The record as the person saw it. If given, the list is read just before the change is sent, so that a change by somebody else is not
	overwritten. Otherwise the change is made from the newest list of this run.
	*/
	readonly seen?: AnyRecord | undefined;
	readonly group?: Group | undefined;
	/** Throws if anything else in that list prevents the change. */
	readonly check?: ((record: AnyRecord) => void) | undefined;
};

/** A wish that the service has not confirmed yet. */
export type Intent<R extends Resource = Resource> = Omit<Wish, 'resource'> & {
	readonly resource: R;
	/** As it was known when the change was requested. */
	readonly record: Records[R];
	/** False while it waits for a list of this run, for another request of the record or for a free slot. */
	readonly isSent: boolean;
};

/** By the id of the record. */
export type Intents<R extends Resource = Resource> = ReadonlyMap<number, Intent<R>>;

export type Outcome<R extends Resource = Resource> = {
	readonly resource: R;
	readonly values: Values;
	/** As the service has it now, as far as that is known. */
	readonly record: Records[R];
	/** As it was before it was sent. */
	readonly before: Records[R];
	/** Its `isOutcomeUnknown` is true if no answer came: the change may still arrive, whatever the list shows. */
	readonly error?: SwitchboardError | undefined;
	/** True if the list does not show whether the change was made either. */
	readonly isOutcomeUnknown: boolean;
	/** True if the list shows that the record is gone. */
	readonly isGone: boolean;
	/** True if nothing was sent: the wish was taken back, or the list showed the values already. */
	readonly isUnsent: boolean;
};

export type QueueOptions = {
	/** Finds the newest record of a list. */
	find<R extends Resource>(resource: R, id: number): Records[R] | undefined;
	/** Tells whether the list was read in this run, so that its records may be sent back. */
	isListFresh(resource: Resource): boolean;
	send(resource: Resource, record: AnyRecord, values: Values, group?: Group): Promise<AnyRecord>;
	/** Stores settled records where `find` and the screens read them. A read that is under way is older and must not replace them. */
	settle(resource: Resource, records: readonly AnyRecord[]): void;
	/** Reads a list now, even if a read is under way. Rejects if that fails. */
	readAgain(resource: Resource): Promise<void>;
	/** Requests the first list of this run, unless a read is under way. */
	requestList(resource: Resource): void;
	/** Called when the service was unreachable: the list may be older than the screens say. */
	recheckList(resource: Resource): void;
	/** Called once for all outcomes of the same moment. */
	onOutcomes(outcomes: readonly Outcome[]): void;
	/** Limits how often answers are handled, so that many are drawn together; by default each is handled at once. */
	throttle?: ((handle: () => void) => () => void) | undefined;
};

/** An answer that leaves the outcome unknown is looked up in the list. */
const isLost = ({isOutcomeUnknown, kind}: SwitchboardError): boolean => isOutcomeUnknown || kind === 'not-found';

const recordKey = ({resource, id}: Pick<Wish, 'resource' | 'id'>): string => `${resource} ${id}`;

/** A timer that is sent with a switch is a part of it. */
const fieldsKey = (resource: Resource, values: Values): string =>
	`${resource} ${values.enabled === undefined ? Object.keys(values).toSorted().join(' ') : 'enabled'}`;

const keyOf = (wish: Wish): string => `${recordKey(wish)} ${fieldsKey(wish.resource, wish.values)}`;

const isSameWish = (first: Values, second: Values): boolean =>
	Object.keys({...first, ...second}).every(field => isSameValue(first[field as keyof Values], second[field as keyof Values]));

/** Returns the error of a change that was answered with 2xx while the service still has the former values. */
export function noEffect(resource: Resource, record: AnyRecord, values: Values): SwitchboardError {
	const field = Object.keys(values).find(name => hasValues(resource, record, {[name]: values[name as keyof Values]}) === false) ?? '';
	const {type, noun = field, read} = findField(resource, field) ?? {};
	const present = read?.(record);
	return new SwitchboardError(
		'no-effect',
		type === 'state'
			? `The service accepted the change, but it is still ${stateWord(present as boolean | undefined)}.`
			: `The service accepted the change, but still shows the former ${noun}.`,
	);
}

/** Tells whether a record has exactly these values. */
const isExactly = (resource: Resource, record: AnyRecord, values: Values): boolean =>
	Object.entries(values).every(([name, value]) => {
		const field = findField(resource, name);
		return field === undefined || isSameJson(field.read(record), value);
	});

/** A request, with the record that it was made from. */
type Sent = {readonly key: string; before: AnyRecord; readonly values: Values; isSent: boolean};

/** True if an answer shows other values than were sent: the former ones, or any other state. */
const isDenied = (resource: Resource, record: AnyRecord, {values, before}: Sent): boolean =>
	Object.entries(values).some(([name, value]) => {
		const former = findField(resource, name)?.read(before);
		return (
			hasValues(resource, record, {[name]: value}) === false &&
			(typeof value === 'boolean' || hasValues(resource, record, {[name]: former}) === true)
		);
	});

/** Always the same: React compares it with the one before. */
const noIntents: Intents = new Map();

/** `isUnsent` is true if the list showed it done already. */
type Answer = {readonly record: AnyRecord; readonly isUnsent: boolean};

export class ChangeQueue {
	readonly #options: QueueOptions;
	readonly #intents = new Map<string, Intent>();
	/** The intents by resource and fields. */
	readonly #current = new Map<string, Map<number, Intent>>();
	/** `#current` as the screens see it. */
	readonly #shown = new Map<string, Intents>();
	/** The keys that `#shown` is behind on. */
	readonly #changed = new Set<string>();
	readonly #listeners = new Set<() => void>();
	readonly #waiters = new Map<string, Array<(outcome: Outcome) => void>>();
	/** Keys of the intents that are not sent yet, in their order. */
	#waiting = new Set<string>();
	readonly #busyRecords = new Set<string>();
	readonly #sentKeys = new Set<string>();
	/** Keys whose values a list may not show: the outcome of a change is unknown, and no list was read since. */
	readonly #doubtful = new Set<string>();
	#inFlightCount = 0;
	#answers: Array<ChangeOutcome<Sent, Answer>> = [];
	#outcomes: Outcome[] = [];
	readonly #handleSoon: () => void;

	constructor(options: QueueOptions) {
		this.#options = options;
		const handle = (): void => this.#handleAnswers();

		this.#handleSoon = options.throttle?.(handle) ?? handle;
	}

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	};

	/** Returns the intents for these fields of a list's records. */
	intents<R extends Resource>(resource: R, ...fields: ReadonlyArray<keyof Values>): Intents<R> {
		return (this.#shown.get(`${resource} ${fields.toSorted().join(' ')}`) ?? noIntents) as Intents<R>;
	}

	/** Tells whether a field other than the state is being saved for a record. */
	isPending(resource: Resource, id: number): boolean {
		return this.all().some(intent => intent.resource === resource && intent.id === id && intent.values.enabled === undefined);
	}

	all(): readonly Intent[] {
		return [...this.#intents.values()];
	}

	/** Requests values for records, also where the service does not show the current ones. */
	set(wishes: readonly Wish[]): void {
		for (const wish of wishes) {
			this.#add(wish);
		}

		this.#proceed();
	}

	/** Requests values for a record. Resolves with the outcome. */
	async save(wish: Wish): Promise<Outcome> {
		return new Promise(resolve => {
			const key = keyOf(wish);
			this.#waiters.set(key, [...(this.#waiters.get(key) ?? []), resolve]);
			this.set([wish]);
		});
	}

	/** Sends the intents that waited for a list of this run. */
	handleFreshList(resource: Resource): void {
		this.#clearDoubts(resource);
		if (this.#waiting.size > 0) {
			this.#proceed();
		}
	}

	/** Ends the intents that waited for a list that could not be read. Intents that wait for a slot need no other list. */
	handleUnreadableList(resource: Resource, error: SwitchboardError): void {
		if (this.#waiting.size === 0 || this.#options.isListFresh(resource)) {
			return;
		}

		for (const key of this.#waiting) {
			const intent = this.#intents.get(key)!;
			if (intent.resource === resource && intent.seen === undefined) {
				this.#end(key, intent.record, error);
			}
		}

		this.#proceed();
	}

	/** Handles the answers that have come, without waiting for the throttle. */
	catchUp(): void {
		if (this.#answers.length > 0) {
			this.#handleAnswers();
		}
	}

	/** Resolves when no intent is left. */
	async whenIdle(): Promise<void> {
		return new Promise(resolve => {
			const check = (): void => {
				if (this.#intents.size === 0) {
					leave();
					resolve();
				}
			};

			const leave = this.subscribe(check);
			check();
		});
	}

	#add(wish: Wish): void {
		const {find, isListFresh} = this.#options;
		const {resource, id, values} = wish;
		const key = keyOf(wish);
		const intent = this.#intents.get(key);
		const record = find(resource, id) ?? wish.seen;
		const isDone = record !== undefined && wish.seen === undefined && isListFresh(resource) && isExactly(resource, record, values);
		if (isDone && this.#waiting.has(key)) {
			this.#end(key, record);
		} else if (intent !== undefined) {
			this.#put(key, {...intent, ...wish});
		} else if (record !== undefined && !isDone) {
			// A list of an earlier run may be wrong: the intent waits for a new one.
			this.#put(key, {...wish, record, isSent: false});
			this.#waiting.add(key);
		}
	}

	#put(key: string, intent: Intent): void {
		const fields = fieldsKey(intent.resource, intent.values);
		this.#intents.set(key, intent);
		this.#current.set(fields, (this.#current.get(fields) ?? new Map<number, Intent>()).set(intent.id, intent));
		this.#changed.add(fields);
	}

	/** Ends an intent. If it was folded back to the service's values, nothing failed. */
	#end(key: string, record: AnyRecord, error?: SwitchboardError, how: Partial<Outcome> = {}): void {
		const {resource, id, values, record: known} = this.#intents.get(key)!;
		const fields = fieldsKey(resource, values);
		this.#intents.delete(key);
		this.#current.get(fields)!.delete(id);
		this.#changed.add(fields);
		this.#waiting.delete(key);
		const isUnsent = !this.#sentKeys.delete(key);
		const {isOutcomeUnknown = false, isGone = false, before = known} = how;
		const isFailed = error !== undefined && (isOutcomeUnknown || isGone || hasValues(resource, record, values) !== true);
		if (isFailed && isOutcomeUnknown) {
			this.#doubtful.add(key);
		}

		const outcome: Outcome = {
			resource,
			values,
			record,
			before,
			error: isFailed ? error : undefined,
			isOutcomeUnknown: isFailed && isOutcomeUnknown,
			isGone: isFailed && isGone,
			isUnsent: isUnsent || how.isUnsent === true,
		};
		this.#outcomes.push(outcome);
		this.#tell(key, outcome);
	}

	#tell(key: string, outcome: Outcome): void {
		const waiters = this.#waiters.get(key) ?? [];
		this.#waiters.delete(key);
		for (const resolve of waiters) {
			resolve(outcome);
		}
	}

	#endGone(key: string): void {
		const {resource, record} = this.#intents.get(key)!;
		this.#end(key, record, new SwitchboardError('not-found', goneText(resource, record.name)), {isGone: true});
	}

	/** Ends the intent, now that the service's values are known, or queues the values that were requested in the meantime. */
	#conclude(sent: Sent, record: AnyRecord, error?: SwitchboardError, isUnsent = false): void {
		const {key, before} = sent;
		const intent = this.#intents.get(key)!;
		const isShown = hasValues(intent.resource, record, intent.values);
		if (isShown !== true && !isSameWish(intent.values, sent.values)) {
			this.#put(key, {...intent, record, isSent: false});
			this.#waiting = new Set([key, ...this.#waiting]);
		} else {
			this.#end(key, record, error, {before, isOutcomeUnknown: error?.isOutcomeUnknown === true && isShown === undefined, isUnsent});
		}
	}

	/** Sends waiting intents while there are free slots, and looks no further. */
	#fillSlots(): void {
		const requested = new Set<Resource>();
		for (const key of this.#waiting) {
			if (this.#inFlightCount === changesAtATime) {
				break;
			}

			const intent = this.#intents.get(key)!;
			const {resource, id, values, seen} = intent;
			if (seen === undefined && !this.#options.isListFresh(resource)) {
				if (!requested.has(resource)) {
					requested.add(resource);
					this.#options.requestList(resource);
				}
			} else if (!this.#busyRecords.has(recordKey(intent))) {
				const record = this.#options.find(resource, id) ?? seen;
				if (record === undefined) {
					this.#endGone(key);
				} else if (seen === undefined && isExactly(resource, record, values)) {
					this.#end(key, record);
				} else {
					void this.#send(key, intent, record);
				}
			}
		}
	}

	async #send(key: string, intent: Intent, record: AnyRecord): Promise<void> {
		const sent: Sent = {key, values: intent.values, before: record, isSent: false};
		this.#waiting.delete(key);
		this.#sentKeys.add(key);
		this.#busyRecords.add(recordKey(intent));
		this.#put(key, {...intent, record, isSent: true});
		this.#inFlightCount++;
		const [answer] = await sendChanges([sent], {send: async () => this.#request(intent, sent)});
		this.#inFlightCount--;
		this.#answers.push(answer!);
		if (intent.seen === undefined) {
			this.#handleSoon();
		} else {
			// A form waits for it.
			this.#handleAnswers();
		}

		// Its slot is free already, even if the answer is handled later.
		this.#fillSlots();
	}

	/** Reads the record anew where it has to be checked, and sends the values. */
	async #request({resource, id, values, seen, check, group}: Intent, sent: Sent): Promise<Answer> {
		if (seen !== undefined) {
			await this.#options.readAgain(resource);
			const found = this.#options.find(resource, id);
			if (found === undefined) {
				throw new SwitchboardError('not-found', goneText(resource, sent.before.name));
			}

			sent.before = found;
			if (isExactly(resource, found, values)) {
				return {record: found, isUnsent: true};
			}

			refuseOverwriting(resource, found, seen, values);
			check?.(found);
		}

		sent.isSent = true;
		return {record: await this.#options.send(resource, sent.before, values, group), isUnsent: false};
	}

	/** Goes on with the waiting intents, and reports everything that has changed. */
	#proceed(): void {
		this.#fillSlots();
		for (const fields of this.#changed) {
			this.#shown.set(fields, new Map(this.#current.get(fields)));
		}

		this.#changed.clear();
		for (const listener of this.#listeners) {
			listener();
		}

		const reported = this.#outcomes;
		this.#outcomes = [];
		if (reported.length > 0) {
			this.#options.onOutcomes(reported);
		}
	}

	#handleAnswers(): void {
		const lost: Array<FailedChange<Sent>> = [];
		const answered = this.#answers;
		this.#answers = [];
		this.#settle(answered);
		for (const answer of answered) {
			const {item: sent} = answer;
			const {resource, id} = this.#intents.get(sent.key)!;
			this.#busyRecords.delete(`${resource} ${id}`);
			if ('result' in answer) {
				const {record, isUnsent} = answer.result;
				this.#doubtful.delete(sent.key);
				this.#conclude(sent, record, isDenied(resource, record, sent) ? noEffect(resource, record, sent.values) : undefined, isUnsent);
			} else if (sent.isSent && (isLost(answer.error) || this.#doubtful.has(sent.key))) {
				lost.push(answer);
			} else {
				// If later presses ended at the values that this request wanted, no second one is sent.
				this.#end(sent.key, this.#options.find(resource, id) ?? sent.before, answer.error, {before: sent.before});
				this.#recheck(resource, answer.error);
			}
		}

		if (lost.length > 0) {
			void this.#lookUp(lost);
		}

		this.#proceed();
	}

	#settle(answers: ReadonlyArray<ChangeOutcome<Sent, Answer>>): void {
		const settled = answers.flatMap(answer =>
			'result' in answer && !answer.result.isUnsent
				? [{resource: this.#intents.get(answer.item.key)!.resource, record: answer.result.record}]
				: [],
		);
		for (const [resource, same] of Map.groupBy(settled, each => each.resource)) {
			this.#options.settle(
				resource,
				same.map(({record}) => record),
			);
		}
	}

	#recheck(resource: Resource, {kind}: SwitchboardError): void {
		if (kind === 'unreachable') {
			this.#options.recheckList(resource);
		}
	}

	/** Looks up in lists whether changes with a lost answer were made. Until then nothing else is sent for their records. */
	async #lookUp(lost: ReadonlyArray<FailedChange<Sent>>): Promise<void> {
		const places = lost.map(failed => ({...failed, ...this.#intents.get(failed.item.key)!}));
		for (const place of places) {
			this.#busyRecords.add(recordKey(place));
		}

		const read = new Map<Resource, boolean>();
		for (const resource of new Set(places.map(place => place.resource))) {
			try {
				await this.#options.readAgain(resource);
				this.#clearDoubts(resource);
				read.set(resource, true);
			} catch {
				read.set(resource, false);
			}
		}

		for (const {item: sent, error, resource, id} of places) {
			this.#busyRecords.delete(`${resource} ${id}`);
			const found = this.#options.find(resource, id);
			if (!read.get(resource)) {
				this.#end(sent.key, found ?? sent.before, error, {
					before: sent.before,
					isOutcomeUnknown: error.isOutcomeUnknown || this.#doubtful.has(sent.key),
				});
			} else if (found === undefined) {
				this.#endGone(sent.key);
			} else {
				this.#conclude(sent, found, error);
			}
		}

		this.#proceed();
	}

	/** Believes the list again for the values of its records. */
	#clearDoubts(resource: Resource): void {
		for (const key of this.#doubtful) {
			if (key.startsWith(`${resource} `)) {
				this.#doubtful.delete(key);
			}
		}
	}
}

/**
@throws SwitchboardError `conflict` if one of the fields is not as the person saw it; a value that the service does not show is taken to be
the one saved last.
*/
function refuseOverwriting(resource: Resource, record: AnyRecord, seen: AnyRecord, values: Values): void {
	for (const name of Object.keys(values)) {
		const field = findField(resource, name);
		const present = field?.read(record);
		if (present !== undefined && !isSameValue(present, field!.read(seen) ?? null)) {
			const now = name === 'triggers' ? ` They are now: ${plainValue(present) || 'none'}.` : '';
			throw new SwitchboardError('conflict', `Somebody else changed the ${field!.noun} of ${record.name} in the meantime.${now}`, {
				field: name,
			});
		}
	}
}
