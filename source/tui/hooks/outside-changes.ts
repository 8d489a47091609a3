import QuickLru from 'quick-lru';
import type {Client, ResourceList} from '../../client/client.ts';
import type {ListVersions} from '../../client/list-versions.ts';
import type {Operation} from '../../interface/endpoints.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {resources, type Records, type Resource} from '../../interface/records.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {createObservable} from '../observable.ts';
import {compareLists, phrasesText, withValues, type Change} from './list-changes.ts';

/** Changes whose answer the screens put into the list that they change. */
const shownAtOnce: Readonly<Partial<Record<Operation, Resource>>> = {
	editInstalled: 'installed',
	editAgent: 'agents',
	editAbility: 'abilities',
};

/** More than one session can make before a list is read again: the oldest writes, which no list has shown, are forgotten. */
const maximumCount = 1000;

const isNamed = (change: Change, name: string): boolean => change.resource !== 'agents' && change.name === name;

/** The changes of a write, and the lists that may show it for the first time. */
type Effect = {
	readonly shownBy: readonly Resource[];
	readonly explains: (change: Change) => boolean;
	/** The value that was sent for the field of a change, if one was: a list that goes back from it denies the write. */
	readonly sent?: (change: Change) => string | undefined;
};

const removalOf =
	(name: string): Effect['explains'] =>
	change =>
		(change.kind === 'removed' && isNamed(change, name)) || change.kind === 'ties';

const effects = {
	setEnabled: ({id: installedId}, isEnabled) => ({
		shownBy: ['installed'],
		explains: ({resource, id, kind, to}) =>
			resource === 'installed' && id === installedId && kind === 'state' && to === (isEnabled ? 'on' : 'off'),
	}),
	editPhrases: ({name}, phrases) => ({
		shownBy: ['installed', 'abilities'],
		explains: change => change.kind === 'phrases' && isNamed(change, name) && change.to === phrasesText(phrases),
		sent: change => (change.kind === 'phrases' && isNamed(change, name) ? phrasesText(phrases) : undefined),
	}),
	editAgent: ({id: agentId}, {name, prompt}) => ({
		shownBy: ['agents'],
		explains: ({resource, id}) => resource === 'agents' && id === agentId,
		sent: ({id, kind}) => (id !== agentId ? undefined : kind === 'name' ? name : kind === 'prompt' ? prompt : undefined),
	}),
	editAbility: ({id: abilityId, name}, {name: newName = name, description, triggerPhrases}) => ({
		shownBy: ['abilities', 'installed'],
		explains: change => (change.resource === 'abilities' ? change.id === abilityId : isNamed(change, name) || isNamed(change, newName)),
		sent: ({resource, id, kind}) =>
			resource !== 'abilities' || id !== abilityId
				? undefined
				: {name: newName, description, phrases: triggerPhrases && phrasesText(triggerPhrases)}[kind as string],
	}),
	uploadAbility: ({name, agentId}) => ({
		shownBy: resources,
		explains: change => isNamed(change, name) || (change.resource === 'agents' && change.id === agentId),
	}),
	deleteAbility: ({name}) => ({shownBy: resources, explains: removalOf(name)}),
	installAbility: ({name}) => ({shownBy: ['installed'], explains: change => change.kind === 'added' && isNamed(change, name)}),
	uninstallAbility: ({name}) => ({shownBy: ['installed', 'agents'], explains: removalOf(name)}),
} as const satisfies {
	readonly [Name in keyof Client]?: (...given: Client[Name] extends (...given: infer Given) => unknown ? Given : never) => Effect;
};

type Write = Pick<Effect, 'explains' | 'sent'> & {
	readonly awaited: Set<Resource>;
	/** When its outcome was known. */
	endedAt: number;
	/** True if no answer came: it may still be carried out. */
	isLost: boolean;
};

type Ids = Readonly<Record<Resource, ReadonlySet<number>>>;

/** Changes made elsewhere, by the ids of the records. */
export type OutsideState = {
	/** The records that are still highlighted. */
	readonly signs: Ids;
	/** All that were changed since the session began. */
	readonly changed: Ids;
};

export type OutsideChangesOptions = {
	/** The list of this run that the screens show; `undefined` if there is none to compare with. */
	knownList<R extends Resource>(resource: R): ResourceList<Records[R]> | undefined;
	/**
	Called with what was changed elsewhere, once for each list that differs.
	@param values - the same with the values that the service sent.
	@param since - when the list was requested that does not show them.
	*/
	onChanged(changes: readonly Change[], values: readonly RecordChange[], since: number): void;
	/** Called with the changes that this session had made, and that a list takes back: the service had said yes. */
	onDenied(changes: readonly Change[]): void;
	/** True for a switch of this session that the list denies, or shows after all. */
	isOwnSwitch(change: Change): boolean;
};

/** How long a record is highlighted unless the cursor passes it. */
export const signMilliseconds = 10_000;

const nothing: Ids = {agents: new Set(), abilities: new Set(), installed: new Set()};

/**
Finds what was changed elsewhere, whenever a list is read. What changes of this session do is not reported, and what their answers show is
not read again.
*/
export const createOutsideChanges = ({knownList, onChanged, onDenied, isOwnSwitch}: OutsideChangesOptions) => {
	const state = createObservable<OutsideState>({signs: nothing, changed: nothing});
	/** The version before each of ours, by resource and version. */
	const formerVersions = new QuickLru<string, string>({maxSize: maximumCount});
	let writes: readonly Write[] = [];
	/** Grows with each write that ends. */
	let clock = 0;
	/** When each list was requested that is known now. */
	const requestTimes = new Map<Resource, number>();

	const record = async <Result>({shownBy, ...effect}: Effect, work: () => Promise<Result>): Promise<Result> => {
		const write: Write = {...effect, awaited: new Set(shownBy), endedAt: Infinity, isLost: false};
		writes = [...writes, write].slice(-maximumCount);
		try {
			const result = await work();
			write.endedAt = ++clock;
			return result;
		} catch (error) {
			write.isLost = toSwitchboardError(error).isOutcomeUnknown;
			if (!write.isLost) {
				writes = writes.filter(other => other !== write);
			}

			throw error;
		}
	};

	/** True if a write of this session explains the change. */
	const isOwn = (change: Change): boolean => {
		const write = writes.find(({explains, awaited}) => awaited.has(change.resource) && explains(change));
		if (write?.isLost) {
			// It has arrived after all: later changes are somebody else's.
			write.awaited.delete(change.resource);
		}

		return write !== undefined;
	};

	/** True if a list that was requested then goes back from what a write of this session has sent. The write may still arrive. */
	const isDenied = (change: Change, requestedAt: number): boolean => {
		const write = writes.find(
			({endedAt, awaited, sent}) => endedAt <= requestedAt && awaited.has(change.resource) && sent?.(change) === change.from,
		);
		if (write !== undefined) {
			write.isLost = true;
			write.endedAt = Infinity;
		}

		return write !== undefined;
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

	const handleChanges = (resource: Resource, changes: readonly Change[]): void => {
		const ids = changes.filter(({kind}) => kind !== 'removed').map(({id}) => id);
		const {signs, changed} = state.get();
		state.set({
			signs: {...signs, [resource]: signs[resource].union(new Set(ids))},
			changed: {...changed, [resource]: changed[resource].union(new Set(ids))},
		});
		setTimeout(takeSigns, signMilliseconds, resource, ids).unref();
	};

	return {
		/** The client; its writes are recorded. */
		recorded(client: Client): Client {
			const names = Object.keys(effects) as ReadonlyArray<keyof typeof effects>;
			return {
				...client,
				...Object.fromEntries(
					names.map(name => {
						const effectOf = effects[name] as (...given: unknown[]) => Effect;
						const send = client[name] as (...given: unknown[]) => Promise<unknown>;
						return [name, async (...given: unknown[]) => record(effectOf(...given), async () => send(...given))];
					}),
				),
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
			const all = known === undefined ? [] : compareLists(resource, known, list);
			// A service that sends versions does what it says.
			const denied = new Set(list.version === undefined ? all.filter(change => isDenied(change, requestedAt)) : []);
			const changes = all.filter(change => !denied.has(change) && !isOwn(change) && !isOwnSwitch(change));
			if (denied.size > 0) {
				onDenied([...denied]);
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
				onChanged(
					changes,
					withValues(resource, changes, known, list, knownList('abilities')?.records),
					requestTimes.get(resource) ?? requestTime,
				);
			}

			requestTimes.set(resource, requestTime);
			return list;
		},
		/** The cursor has passed these records: they have been seen. */
		pass: takeSigns,
		/** Takes the versions that an answer to a change names. */
		handleAnswer(operation: Operation, versions: ListVersions, former: ListVersions): void {
			const resource = shownAtOnce[operation];
			const version = resource && versions[resource];
			const before = resource && former[resource];
			if (version !== undefined && before !== undefined) {
				formerVersions.set(`${resource} ${version}`, before);
			}
		},
		/** True if nothing but changes of this session lies between a version of a list and a later one, or an earlier one. */
		isBetween: (resource: Resource, one: string, other: string): boolean =>
			isOwnSince(resource, one, other) || isOwnSince(resource, other, one),
		forgetVersions(): void {
			formerVersions.clear();
		},
	};
};

export type OutsideChanges = ReturnType<typeof createOutsideChanges>;
