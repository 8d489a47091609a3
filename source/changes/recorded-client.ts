import {AsyncLocalStorage} from 'node:async_hooks';
import process from 'node:process';
import {fieldsOf, hasValues, kindOf, type Values} from './fields.ts';
import type {AgentChanges, Client, ResourceList} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {seenElsewhere} from '../interface/history.ts';
import {draftOf, releaseInUse, versionInUse} from '../interface/installed-lookup.ts';
import {isSameJson, type JsonValue} from '../interface/json.ts';
import {rawName, type Ability, type Agent, type DecodedRecord, type Records, type Resource} from '../interface/records.ts';
import type {RecordChange} from './compare-lists.ts';
import {openHistory} from './history.ts';
import {skipKey, type ChangeLog, type Group, type NewChange} from './log.ts';
import {encodeFormer, type Former} from './removals.ts';

/*
Every change that this program makes goes through this client: each prompt is kept before it is replaced, and each change is noted in the
log once it is known to be made. Changes by others are noted only for a service that keeps no history.
*/

/** Older changes are in the service's own history, if it keeps one. */
const maximumAgeMilliseconds = 30 * 24 * 60 * 60 * 1000;

/** Further writes without an answer are not remembered. */
const maximumPending = 1000;

/** An ability that was noted before it was removed, with the key of its removal. */
export type NotedFormer = Former & {readonly key?: string | undefined};

type Options = {
	/** The log of the account that the client belongs to: a different one once its profile is renamed. */
	readonly openLog: () => ChangeLog;
	readonly by?: string | undefined;
	/** The command or key that makes the changes, such as `agents edit`. */
	readonly via: string;
	readonly session: string;
	/** The key of the person over SSH, hashed. */
	readonly personId?: string | undefined;
	/** True if all changes belong to one group, as for a command. */
	readonly isOneGroup?: boolean | undefined;
	/** Called with a sentence if a text could not be kept and is lost. */
	readonly note: (text: string) => void;
	/** Called once, with a sentence, if changes cannot be noted. */
	readonly noteMissing: (text: string) => void;
	/** How long after a change it is noted. With 0 no change ends before it is noted. */
	readonly delayMilliseconds: number;
};

/** A change, and when the service changed its record by it. */
type Made = RecordChange & {readonly changedAt?: number | undefined};

type Lists = {[R in Resource]?: ResourceList<Records[R]> | undefined};

type Effect = {
	readonly group: Group;
	/** The changes of a write that has succeeded; `undefined` if the answer does not show which record it is. */
	readonly made: (result: never) => readonly Made[] | undefined;
	/** The changes, if the list shows that they were made. */
	readonly shown: (lists: Lists) => readonly Made[] | undefined;
	/** True if the list shows that they were not made, although the service said so. */
	readonly isDenied: (lists: Lists) => boolean;
	/** The changes of a write that has succeeded, if no list has shown the record. */
	readonly unshown?: readonly RecordChange[];
};

/** A write whose outcome is still to be read from a list. */
type Pending = {
	readonly effect: Effect;
	readonly since: number;
	/** When it was answered, on the clock of `performance`. */
	readonly endedAt: number;
	readonly isMade: boolean;
	/** Its changes while they are in the log: a list may deny them. */
	noted?: readonly NewChange[] | undefined;
	isDenied?: boolean;
};

type Writes =
	| 'editInstalled'
	| 'editAgent'
	| 'editAbility'
	| 'uploadAbility'
	| 'deleteAbility'
	| 'installAbility'
	| 'uninstallAbility'
	| 'releaseCode'
	| 'enableRelease';

/**
Returns a client that keeps the prompt of an agent before it sends a new one, and notes each change. A prompt that the service does not show
cannot be kept.
*/
export function recordChanges(client: Client, options: Options) {
	const {openLog, by = 'you', via, session, personId: person, isOneGroup = false, note, noteMissing, delayMilliseconds} = options;
	const groups = new AsyncLocalStorage<Group>();
	let groupCount = 0;
	const newGroup = (...undoes: readonly string[]): Group => ({group: `${session}:${++groupCount}`, ...(undoes.length > 0 && {undoes})});
	const onlyGroup = isOneGroup ? newGroup() : undefined;
	const history = openHistory({client, openLog});
	const knowledge = createKnowledge();
	const effects = effectsOn(knowledge);
	let pending: readonly Pending[] = [];
	let waiting: NewChange[] = [];
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let isForgotten = false;
	let isTold = false;

	/** Whether the service keeps a history itself. Only the bundled one does, and that names versions of its lists. */
	const isKeptElsewhere = async (): Promise<boolean> => {
		const lists = Object.values(knowledge.lists);
		// The log is not looked at if it turns out that the service keeps one.
		return (lists.length === 0 || lists.some(list => list?.version !== undefined)) && history.isKeptByService().catch(() => false);
	};

	const writeAll = async (): Promise<void> => {
		const noted = waiting;
		waiting = [];
		const isAnySeen = noted.some(change => change.origin === undefined);
		const changes = isAnySeen && !isLogOff() && (await isKeptElsewhere()) ? noted.filter(change => change.origin !== undefined) : noted;
		if (changes.length === 0 || isLogOff() || isForgotten) {
			return;
		}

		try {
			await openLog().note(changes, isBelieved() ? maximumAgeMilliseconds : undefined);
		} catch (error) {
			if (!isTold) {
				isTold = true;
				noteMissing(toSwitchboardError(error).message);
			}
		}
	};

	/** Notes all changes so far, in their order. Never rejects. */
	const write = async (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.then(writeAll);
		return writing;
	};

	/** @param group - left out if the changes were not made here. */
	const add = (changes: readonly Made[], since: number, group?: Group): readonly NewChange[] => {
		const at = Date.now();
		const added = changes.map(({changedAt, ...change}) => ({
			...change,
			by: group === undefined ? seenElsewhere : by,
			via,
			at,
			since,
			origin: group && {session, person, ...group, changedAt},
		}));
		waiting.push(...added);
		timer ??= setTimeout(() => {
			void write();
		}, delayMilliseconds).unref();
		return added;
	};

	const addOwn = async (changes: readonly Made[], since: number, group: Group): Promise<readonly NewChange[]> => {
		const added = add(changes, since, group);
		if (delayMilliseconds === 0) {
			await write();
		}

		return added;
	};

	/** Takes a write back out of the log. */
	const withdraw = async (denied: Pending): Promise<void> => {
		const {noted = []} = denied;
		denied.noted = undefined;
		denied.isDenied = true;
		waiting = waiting.filter(change => !noted.includes(change));
		writing = writing.then(async () => {
			try {
				await openLog().withdraw(noted);
			} catch {
				// Then it could not be noted in the first place, which was reported.
			}
		});
		await writing;
	};

	/** Notes what the list shows of the writes that wait for it, and takes back what it denies. */
	const handleList = async (lists: Lists, requestedAt: number): Promise<void> => {
		Object.assign(knowledge.lists, lists);
		const found = pending.map(each => ({each, changes: each.effect.shown(lists)}));
		pending = found.filter(({changes}) => changes === undefined).map(({each}) => each);
		const denied = pending.filter(
			({isMade, effect, endedAt, isDenied = false}) => isMade && !isDenied && endedAt <= requestedAt && effect.isDenied(lists),
		);
		await Promise.all([
			...found
				.filter(({each}) => each.noted === undefined)
				.map(async ({each, changes = []}) => addOwn(changes, each.since, each.effect.group)),
			...denied.map(async each => withdraw(each)),
		]);
	};

	/** A service that sends versions of its lists does what it says. */
	const isBelieved = (): boolean => Object.values(knowledge.lists).some(list => list?.version !== undefined);

	const isSamePlace = (one: NewChange, other: NewChange): boolean =>
		one.kind === other.kind && one.record === other.record && one.field === other.field;

	const send = async <Result>(effect: Effect, work: () => Promise<Result>): Promise<Result> => {
		const since = Date.now();
		const wait = (isMade: boolean, noted?: readonly NewChange[]): void => {
			// The list shows only the last change of a place.
			const left = pending.filter(each => !each.noted?.some(earlier => noted?.some(change => isSamePlace(earlier, change))));
			pending = [...left, {effect, since, endedAt: performance.now(), isMade, noted}].slice(-maximumPending);
		};

		try {
			const result = await work();
			const changes = effect.made(result as never);
			if (changes === undefined) {
				wait(true);
			} else {
				const noted = await addOwn(changes, since, effect.group);
				if (noted.length > 0 && !isBelieved()) {
					wait(true, noted);
				}
			}

			return result;
		} catch (error) {
			if (toSwitchboardError(error).isOutcomeUnknown) {
				wait(false);
			}

			throw error;
		}
	};

	const keepPrompt = async ({id: agentId, name, raw: {description: text}}: Agent, {prompt, canLosePrompt}: AgentChanges): Promise<void> => {
		const isReplaced = prompt !== undefined && typeof text === 'string' && text !== prompt && text.trim() !== '';
		if (!isReplaced || isLogOff()) {
			return;
		}

		try {
			await openLog().keep({agentId, name, via, text});
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (!canLosePrompt) {
				throw new SwitchboardError(error.kind, `${error.message} It was not changed.`, {
					nextStep: 'Use --yes to change it anyway.',
					cause: error,
				});
			}

			isTold = true;
			note(error.message);
		}
	};

	/** The keys of removals that are noted, by kind and record. */
	const removals = new Map<string, string>();

	/** Takes a removal out of the log if the service refused it. */
	const unlessRefused = async (place: string, work: () => Promise<void>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			const key = removals.get(place);
			if (key !== undefined && !toSwitchboardError(error).isOutcomeUnknown) {
				await openLog().skip([key]);
			}

			throw error;
		}
	};

	const groupNow = (): Group => groups.getStore() ?? onlyGroup ?? newGroup();

	const noted = Object.fromEntries(
		Object.entries(effects).map(([name, effectOf]) => {
			const work = client[name as Writes] as (...given: unknown[]) => Promise<unknown>;
			return [
				name,
				async (...given: unknown[]) => {
					const group = groupNow();
					return send({...(effectOf as (...all: unknown[]) => Omit<Effect, 'group'>)(...given), group}, async () => work(...given));
				},
			];
		}),
	) as Pick<Client, Writes>;

	return {
		history,
		lists: (): Lists => ({...knowledge.lists}),
		/** Returns a group for the changes of a key, or for changes that take a group back. */
		newGroup,
		/** Runs work whose changes belong to a group. */
		within: async <Result>(group: Group, work: () => Promise<Result>): Promise<Result> => groups.run(group, work),
		/** `editAgent` throws SwitchboardError `not-kept`, and changes nothing, if the text cannot be kept and `canLosePrompt` is not set. */
		client: {
			...client,
			...noted,
			async list(resource, signal, before) {
				const requestedAt = performance.now();
				const list = await client.list(resource, signal, before);
				await handleList({[resource]: list}, requestedAt);
				return list;
			},
			readChanges: async (listener, signal) =>
				client.readChanges(
					{
						...listener,
						onChange(change) {
							if (change.history !== undefined) {
								history.handleNumber();
							}

							listener.onChange(change);
						},
					},
					signal,
				),
			async getInstalledByAbility(abilityId, signal) {
				const release = await client.getInstalledByAbility(abilityId, signal);
				if (release.releaseId !== undefined) {
					knowledge.releases.set(release.releaseId, {abilityId, version: release.version});
				}

				return release;
			},
			async editAgent(agent, changes, signal) {
				await keepPrompt(agent, changes);
				return noted.editAgent(agent, changes, signal);
			},
			deleteAbility: async (ability, signal) => unlessRefused(`ability ${ability.id}`, async () => noted.deleteAbility(ability, signal)),
			uninstallAbility: async (installed, signal) =>
				unlessRefused(`installed ${installed.id}`, async () => noted.uninstallAbility(installed, signal)),
		} satisfies Client as Client,
		/**
		Notes changes in the lists that this client did not make.
		@param since - when the last list without them was requested.
		*/
		noteSeen(changes: readonly RecordChange[], since: number): void {
			add(changes, since);
		},
		/** @throws SwitchboardError `not-kept` if changes cannot be noted. */
		checkLog(): void {
			refuseOff();
			openLog().check();
		},
		/**
		Notes an ability before it is removed, with its package, so that undo can bring it back.
		@returns the key of the removal for `skip`, and the ability as it was noted.
		@throws SwitchboardError `not-kept`.
		*/
		async noteRemoval(former: Former, record: Pick<DecodedRecord, 'id' | 'name' | 'raw'>, zip?: Uint8Array): Promise<NotedFormer> {
			refuseOff();
			const kind = former.ability === undefined ? 'installed' : 'ability';
			const origin = {session, person, ...groupNow()};
			const removal = {kind, record: record.id, name: rawName(record), via, by, origin} as const;
			const name = await openLog().noteRemoval({...removal, before: encodeFormer(former)}, zip);
			const key = skipKey({...removal, field: kind === 'ability' ? 'exists' : 'installed'});
			removals.set(`${kind} ${record.id}`, key);
			return {...former, source: name === undefined ? former.source : {zip: name}, key};
		},
		/** Notes all changes so far, without waiting for more. Never rejects. */
		flush: write,
		/** Notes nothing from now on: the account is signed out, and its log would come back. */
		forget(): void {
			isForgotten = true;
		},
		/** Resolves once everything is noted, as far as it can be. */
		async close(): Promise<void> {
			for (const {
				effect: {unshown = [], group},
				since,
				isMade,
				noted,
				isDenied = false,
			} of pending) {
				if (isMade && noted === undefined && !isDenied) {
					add(unshown, since, group);
				}
			}

			pending = [];
			await write();
		},
	};
}

/** Returns the known records, from the client's reads. */
function createKnowledge() {
	const lists: Lists = {};
	const releases = new Map<number, {readonly abilityId: number; readonly version: string | undefined}>();
	/** The name as the service has it. */
	const nameOf = (resource: Resource, id: number, name = `#${id}`): string => {
		const record = lists[resource]?.records.find((each: DecodedRecord) => each.id === id);
		return record === undefined ? name : rawName(record);
	};

	return {
		lists,
		nameOf,
		/** The ability of a release, and its version in use. */
		releaseOf(releaseId: number): {readonly abilityId: number; readonly version: string | undefined} | undefined {
			const ability = lists.abilities?.records.find(({versions}) => versions.some(({id}) => id === releaseId));
			return releases.get(releaseId) ?? (ability && {abilityId: ability.id, version: versionInUse(ability)});
		},
		releases,
		abilityNames: (ids: readonly number[] | undefined): JsonValue | undefined => ids?.map(id => nameOf('abilities', id)).toSorted(),
		idsOf: (resource: Resource): ReadonlySet<number> => new Set(lists[resource]?.records.map(({id}) => id)),
	};
}

type EffectOf<Name extends Writes> = Omit<Effect, 'made' | 'group'> & {
	readonly made: (result: Awaited<ReturnType<Client[Name]>>) => readonly Made[] | undefined;
};

type Effects = {readonly [Name in Writes]: (...given: Parameters<Client[Name]>) => EffectOf<Name>};

function effectsOn({lists, nameOf, releaseOf, abilityNames, idsOf}: ReturnType<typeof createKnowledge>): Effects {
	const publicValue = (field: string, value: JsonValue | undefined): JsonValue | undefined =>
		field === 'abilities' ? abilityNames(value as readonly number[] | undefined) : value;

	/** A change to a record that stays in its list. */
	const stays = <R extends Resource>(
		resource: R,
		id: number,
		made: (after: Records[R]) => readonly Made[],
		isDone: (record: Records[R]) => boolean | undefined,
	) => ({
		made,
		shown(shown: Lists) {
			const record = shown[resource]?.records.find(each => each.id === id);
			return record !== undefined && isDone(record) ? made(record) : undefined;
		},
		/** A record that was changed to something else may have been changed twice. */
		isDenied(shown: Lists) {
			const record = shown[resource]?.records.find(each => each.id === id);
			return record !== undefined && isDone(record) === false && made(record).length === 0;
		},
	});

	const edit = <R extends Resource>(resource: R, before: Records[R], values: Values) =>
		stays(
			resource,
			before.id,
			after =>
				fieldsOf(resource)
					// A switch cancels a timer.
					.filter(([field]) => values[field] !== undefined || field === 'timer')
					.flatMap(([field, {read}]) =>
						changesOf(kindOf[resource], named(before), [[field, publicValue(field, read(before)), publicValue(field, read(after))]]),
					)
					.map(change => ({...change, changedAt: changedAtOf(before, after)})),
			record => hasValues(resource, record, values),
		);

	/** Some services keep the time of a record that was changed. */
	const changedAtOf = (before: DecodedRecord, after: DecodedRecord): number | undefined => {
		const [former, changedAt] = [before, after].map(record =>
			'changedAt' in record ? (record.changedAt as number | undefined) : undefined,
		);
		return changedAt === former ? undefined : changedAt;
	};

	const hasNothingNew = (list: ResourceList<DecodedRecord> | undefined, before: ReadonlySet<number>): boolean =>
		list !== undefined && list.isComplete && list.records.every(({id}) => before.has(id));

	const removal = (resource: Resource, changes: readonly RecordChange[]) => ({
		made: () => changes,
		shown: (shown: Lists) => (isGoneFrom(shown[resource], changes[0]!.record) ? changes : undefined),
		isDenied: (shown: Lists) => shown[resource]?.records.some(({id}) => id === changes[0]!.record) ?? false,
	});

	return {
		editInstalled: (installed, values) => edit('installed', installed, values),
		editAgent: (agent, values) => edit('agents', agent, values),
		editAbility: (ability, values) => edit('abilities', ability, values),
		uploadAbility({name}) {
			const before = idsOf('abilities');
			const created = (id: number | undefined) =>
				id === undefined ? undefined : changesOf('ability', {id, name}, [['exists', false, true]]);
			return {
				made: ({capabilityId}) => created(capabilityId),
				shown: ({abilities}) => created(abilities?.records.find(record => !before.has(record.id) && rawName(record) === name)?.id),
				isDenied: ({abilities}) => hasNothingNew(abilities, before),
			};
		},
		deleteAbility: ({id, name}) =>
			removal('abilities', changesOf('ability', {id, name: nameOf('abilities', id, name)}, [['exists', true, false]])),
		installAbility(ability) {
			const before = idsOf('installed');
			const name = nameOf('abilities', ability.id, ability.name);
			const installed = (id: number | undefined) =>
				id === undefined ? undefined : changesOf('installed', {id, name}, [['installed', false, true]]);
			return {
				made: () => undefined,
				// Some services tie the two only by name.
				shown: shown =>
					installed(
						shown.installed?.records.find(
							record =>
								!before.has(record.id) && (record.abilityId === undefined ? rawName(record) === name : record.abilityId === ability.id),
						)?.id,
					),
				isDenied: shown => hasNothingNew(shown.installed, before),
				unshown: installed(ability.id) ?? [],
			};
		},
		uninstallAbility: ({id, name}) =>
			removal('installed', changesOf('installed', {id, name: nameOf('installed', id, name)}, [['installed', true, false]])),
		releaseCode(releaseId, {isDraft}) {
			const {abilityId: id = -1, version: before} = releaseOf(releaseId) ?? {};
			const released = (version: string | undefined) =>
				id === -1
					? []
					: changesOf('ability', {id, name: nameOf('abilities', id)}, [isDraft ? ['draft', null, version] : ['version', before, version]]);
			return {
				...stays(
					'abilities',
					id,
					record => released(isDraft ? draftOf(record)?.version : versionInUse(record)),
					record => (isDraft ? draftOf(record) !== undefined : before !== undefined && versionInUse(record) !== before),
				),
				made: version => (version === undefined ? undefined : released(version)),
				// Some services keep the number of the version.
				isDenied: () => false,
				unshown: released(undefined),
			};
		},
		enableRelease(releaseId) {
			const {abilityId: id = -1, version: before} = releaseOf(releaseId) ?? {};
			const used = (record: Ability | undefined) =>
				record === undefined
					? []
					: changesOf('ability', named(record), [['version', before, record.versions.find(each => each.id === releaseId)?.version]]);
			const isUsed = (record: Ability): boolean => releaseInUse(record)?.id === releaseId;
			return {...stays('abilities', id, used, isUsed), made: () => used(lists.abilities?.records.find(record => record.id === id))};
		},
	};
}

type FieldChange = readonly [field: RecordChange['field'], from: JsonValue | undefined, to: JsonValue | undefined];

const changesOf = (
	kind: RecordChange['kind'],
	{id, name}: Pick<DecodedRecord, 'id' | 'name'>,
	fields: readonly FieldChange[],
): readonly RecordChange[] =>
	fields
		.filter(([, from = null, to = null]) => !isSameJson(from, to))
		.map(([field, from = null, to = null]) => ({kind, name, record: id, field, from, to}));

const named = (record: DecodedRecord): Pick<DecodedRecord, 'id' | 'name'> => ({id: record.id, name: rawName(record)});

const isGoneFrom = (list: ResourceList<DecodedRecord> | undefined, id: number): boolean =>
	list !== undefined && list.isComplete && list.records.every(record => record.id !== id);

/** Tells whether the person wants no log of changes. */
export function isLogOff(): boolean {
	return process.env['SWITCHBOARD_JOURNAL'] === 'off';
}

function refuseOff(): void {
	if (isLogOff()) {
		throw new SwitchboardError('not-kept', 'Changes are not noted with SWITCHBOARD_JOURNAL=off.');
	}
}

export type RecordedClient = ReturnType<typeof recordChanges>;
