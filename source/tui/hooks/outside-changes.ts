import QuickLru from 'quick-lru';
import type {Listed} from '../../changes/effects.ts';
import type {ResourceList} from '../../client/client.ts';
import type {ListVersions} from '../../client/list-versions.ts';
import type {Operation} from '../../interface/endpoints.ts';
import type {SwitchboardError} from '../../interface/errors.ts';
import {cleanName, rawName, type DecodedRecord, type Records, type Resource} from '../../interface/records.ts';
import {compareWithKnown, isWhole, type RecordChange} from '../../changes/compare-lists.ts';
import {findField, isPresence, isSameValue, plainValue, resourceOf} from '../../changes/fields.ts';
import {createObservable} from '../observable.ts';

/** Changes whose answers the screens put into the changed list themselves. */
const shownAtOnce: Readonly<Partial<Record<Operation, Resource>>> = {
	editInstalled: 'installed',
	editAgent: 'agents',
	editAbility: 'abilities',
};

/** More than one session can make between two readings of a list: the oldest writes that no list has shown are forgotten. */
const maximumCount = 1000;

/** Returns the change that a list has gone back from. */
const madeBefore = (change: RecordChange): RecordChange => ({
	...change,
	name: change.field === 'name' ? plainValue(change.to) : change.name,
	from: change.to,
	to: change.from,
});

/** Returns a sentence about a change of this session that a list denies. */
export function deniedText({kind, name, field}: RecordChange): string {
	const {noun} = findField(resourceOf[kind], field)!;
	return `The service accepted the change, but still shows the former ${noun} of ${cleanName(name)}.`;
}

type Write = Pick<Listed, 'explains' | 'sent'> & {
	readonly awaited: Set<Resource>;
	/** The list that the screens put the answer into. */
	readonly changed: Resource | undefined;
	/** When its outcome became known. */
	endedAt: number;
	/** True if no answer came: the write may still be carried out. */
	isLost: boolean;
};

type Ids = Readonly<Record<Resource, ReadonlySet<number>>>;

export type OutsideState = {
	/** The records that are still highlighted. */
	readonly signs: Ids;
	/** All records that were changed elsewhere since the session began. */
	readonly changed: Ids;
};

export type OutsideChangesOptions = {
	/** The list of this run on the screens; `undefined` if there is none to compare with. */
	knownList<R extends Resource>(resource: R): ResourceList<Records[R]> | undefined;
	/**
	Called with the changes made elsewhere, once for each list that differs.

	@param since - when the last list without them was requested.
	@param records - of the list that shows them.
	*/
	onChanged(changes: readonly RecordChange[], since: number, records: readonly DecodedRecord[]): void;
	/** Called with changes of this session, as they were made, that were confirmed by the service but are denied by a list. */
	onDenied(changes: readonly RecordChange[]): void;
	/** True for a switch of this session that the list denies, or shows after all. */
	isOwnSwitch(change: RecordChange): boolean;
};

/** How long a record is highlighted, unless the cursor passes it. */
export const signMilliseconds = 10_000;

const nothing: Ids = {agents: new Set(), abilities: new Set(), installed: new Set()};

/**
Finds changes made elsewhere, whenever a list is read. Changes of this session are not reported, and their answers are not read again.
*/
export function createOutsideChanges({knownList, onChanged, onDenied, isOwnSwitch}: OutsideChangesOptions) {
	const state = createObservable<OutsideState>({signs: nothing, changed: nothing});
	/** The version before each version of this session, by resource and version. */
	const formerVersions = new QuickLru<string, string>({maxSize: maximumCount});
	let writes: readonly Write[] = [];
	/** Counts the writes that have ended. */
	let clock = 0;
	/** When each known list was requested. */
	const requestTimes = new Map<Resource, number>();

	/** True if a write of this session explains the change. */
	const isOwn = (change: RecordChange, hasVersion: boolean): boolean => {
		const resource = resourceOf[change.kind];
		const write = writes.find(
			({explains, awaited, changed, endedAt}) =>
				awaited.has(resource) &&
				// A service that sends versions does as it answers: the known list has all of an answered write.
				!(hasVersion && changed === resource && endedAt < Infinity) &&
				explains(change),
		);
		if (write?.isLost) {
			// The write has arrived after all: later changes are somebody else's.
			write.awaited.delete(resource);
		}

		return write !== undefined;
	};

	/** True if a list requested then goes back from the values that a write of this session has sent. The write may still arrive. */
	const isDenied = (change: RecordChange, requestedAt: number): boolean => {
		const write = writes.find(
			({endedAt, awaited, sent}) =>
				endedAt <= requestedAt && awaited.has(resourceOf[change.kind]) && isSameValue(sent?.(change), change.from),
		);
		if (write !== undefined) {
			write.isLost = true;
			write.endedAt = Infinity;
		}

		return write !== undefined;
	};

	/** Returns the differences between two lists. The screens do not report new versions. */
	const differencesOf = <R extends Resource>(
		resource: R,
		before: ResourceList<Records[R]>,
		after: ResourceList<Records[R]>,
	): readonly RecordChange[] => {
		const names = new Map(knownList('abilities')?.records.map(ability => [ability.id, rawName(ability)]));
		const known = {records: new Map(before.records.map(record => [record.id, record])), isWhole: isWhole(before)};
		return compareWithKnown(resource, known, after, id => names.get(id) ?? `#${id}`).changes.filter(({field}) => field !== 'version');
	};

	const isOwnSince = (resource: Resource, since: string, version: string): boolean => {
		const passed = new Set<string>();
		let current: string | undefined = version;
		while (current !== undefined && current !== since && !passed.has(current)) {
			passed.add(current);
			current = formerVersions.get(`${resource} ${current}`);
		}

		return current === since;
	};

	const takeSigns = (resource: Resource, ids: readonly number[]): void => {
		const {signs, changed} = state.get();
		const left = signs[resource].difference(new Set(ids));
		if (left.size < signs[resource].size) {
			state.set({changed, signs: {...signs, [resource]: left}});
		}
	};

	const handleChanges = (resource: Resource, changes: readonly RecordChange[]): void => {
		const ids = changes.filter(change => !isPresence(change) || change.to === true).map(({record}) => record);
		const {signs, changed} = state.get();
		state.set({
			signs: {...signs, [resource]: signs[resource].union(new Set(ids))},
			changed: {...changed, [resource]: changed[resource].union(new Set(ids))},
		});
		setTimeout(takeSigns, signMilliseconds, resource, ids).unref();
	};

	return {
		/** Takes a write that is about to be sent; returns a function that takes its outcome. */
		handleWrite(operation: Operation, {shownBy, explains, sent}: Listed): (error?: SwitchboardError) => void {
			const write: Write = {explains, sent, awaited: new Set(shownBy), changed: shownAtOnce[operation], endedAt: Infinity, isLost: false};
			writes = [...writes, write].slice(-maximumCount);
			return error => {
				if (error === undefined) {
					write.endedAt = ++clock;
				} else if (error.isOutcomeUnknown) {
					write.isLost = true;
				} else {
					writes = writes.filter(other => other !== write);
				}
			};
		},
		getState: state.get,
		subscribe: state.subscribe,
		/** Loads a list and compares it with the known one. */
		async watch<R extends Resource>(
			resource: R,
			load: () => Promise<ResourceList<Records[R]>>,
			signal?: AbortSignal,
		): Promise<ResourceList<Records[R]>> {
			const requestedAt = clock;
			const requestTime = Date.now();
			const list = await load();
			if (signal?.aborted) {
				return list;
			}

			const known = knownList(resource);
			const all = known === undefined ? [] : differencesOf(resource, known, list);
			const hasVersion = list.version !== undefined;
			const denied = new Set(hasVersion ? [] : all.filter(change => isDenied(change, requestedAt)));
			const changes = all.filter(change => !denied.has(change) && !isOwn(change, hasVersion) && !isOwnSwitch(change));
			if (denied.size > 0) {
				onDenied([...denied].map(change => madeBefore(change)));
			}

			// The list shows all writes that ended before it was requested.
			for (const {endedAt, awaited} of writes) {
				if (endedAt <= requestedAt) {
					awaited.delete(resource);
				}
			}

			writes = writes.filter(({awaited}) => awaited.size > 0);
			if (known !== undefined && changes.length > 0) {
				handleChanges(resource, changes);
				onChanged(changes, requestTimes.get(resource) ?? requestTime, list.records);
			}

			requestTimes.set(resource, requestTime);
			return list;
		},
		/** Notes that the cursor has passed these records, so the person has seen them. */
		pass: takeSigns,
		/** Takes the versions in the answer to a change. */
		handleAnswer(operation: Operation, versions: ListVersions, former: ListVersions): void {
			const resource = shownAtOnce[operation];
			const version = resource && versions[resource];
			const before = resource && former[resource];
			if (version !== undefined && before !== undefined) {
				formerVersions.set(`${resource} ${version}`, before);
			}
		},
		/** True if only changes of this session lie between two versions of a list, in either order. */
		isBetween: (resource: Resource, one: string, other: string): boolean =>
			isOwnSince(resource, one, other) || isOwnSince(resource, other, one),
		forgetVersions: (): void => formerVersions.clear(),
	};
}

export type OutsideChanges = ReturnType<typeof createOutsideChanges>;
