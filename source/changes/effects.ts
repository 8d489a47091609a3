import type {Client, ResourceList} from '../client/client.ts';
import {draftOf, releaseInUse, versionInUse} from '../interface/installed-lookup.ts';
import {isSameJson, type JsonValue} from '../interface/json.ts';
import {cleanName, rawName, resources, type Ability, type DecodedRecord, type Records, type Resource} from '../interface/records.ts';
import type {RecordChange} from './compare-lists.ts';
import {fieldsOf, hasValues, isPresence, isSameValue, kindOf, type FieldName, type RecordKind, type Values} from './fields.ts';

/* The changes that each write of the client makes: the log notes them, and the screens do not report them as made elsewhere. */

/** A change, and when the service changed its record by it. */
export type Made = RecordChange & {readonly changedAt?: number | undefined};

export type Lists = {[R in Resource]?: ResourceList<Records[R]> | undefined};

/** How lists show a write, with its consequences for other records. */
export type Listed = {
	/** The lists that may show it for the first time. */
	readonly shownBy: readonly Resource[];
	readonly explains: (change: RecordChange) => boolean;
	/** The sent value for the field of a change, if there is one: a list that goes back from it denies the write. */
	readonly sent?: ((change: RecordChange) => JsonValue | undefined) | undefined;
};

export type Effect = {
	/** The changes of a write that has succeeded; `undefined` if the answer does not show which record it is. */
	readonly made: (result: never) => readonly Made[] | undefined;
	/** The changes, if the list shows that they were made. */
	readonly shown: (lists: Lists) => readonly Made[] | undefined;
	/** True if the list shows that they were not made, although the service said so. */
	readonly isDenied: (lists: Lists) => boolean;
	/** The changes of a write that has succeeded, if no list has shown the record. */
	readonly unshown?: readonly RecordChange[];
	/** `undefined` for a change of versions, which the screens do not report. */
	readonly listed?: Listed | undefined;
};

export type Writes =
	| 'editInstalled'
	| 'editAgent'
	| 'editAbility'
	| 'uploadAbility'
	| 'deleteAbility'
	| 'installAbility'
	| 'uninstallAbility'
	| 'releaseCode'
	| 'enableRelease';

/** Returns the known records, from the client's reads. */
export function createKnowledge() {
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

type EffectOf<Name extends Writes> = Omit<Effect, 'made'> & {
	readonly made: (result: Awaited<ReturnType<Client[Name]>>) => readonly Made[] | undefined;
};

type Effects = {readonly [Name in Writes]: (...given: Parameters<Client[Name]>) => EffectOf<Name>};

/** Returns the effect of each write, by its operation. */
export function effectsOn({lists, nameOf, releaseOf, abilityNames, idsOf}: ReturnType<typeof createKnowledge>): Effects {
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
		editInstalled: (installed, values) => ({
			...edit('installed', installed, values),
			listed: {
				// The ability itself has all fields but the state, too.
				shownBy: values.enabled === undefined ? ['installed', 'abilities'] : ['installed'],
				explains: change =>
					isSameValue(valueIn(values, change), change.to) &&
					(isOf(change, 'installed', installed.id) || (change.field !== 'enabled' && isNamed(change, installed.name))),
				sent: change => (change.field !== 'enabled' && isNamed(change, installed.name) ? valueIn(values, change) : undefined),
			},
		}),
		editAgent(agent, values) {
			const {abilities: _, ...sent} = values;
			return {
				...edit('agents', agent, values),
				listed: {
					shownBy: ['agents'],
					explains: change => isOf(change, 'agent', agent.id),
					sent: change => (isOf(change, 'agent', agent.id) ? valueIn(sent, change) : undefined),
				},
			};
		},
		editAbility(ability, values) {
			const {id, name} = ability;
			const {name: newName = name} = values;
			return {
				...edit('abilities', ability, values),
				listed: {
					shownBy: ['abilities', 'installed'],
					explains: change => (change.kind === 'ability' ? change.record === id : isNamed(change, name) || isNamed(change, newName)),
					sent: change => (isOf(change, 'ability', id) ? valueIn({...values, name: newName}, change) : undefined),
				},
			};
		},
		uploadAbility({name, agentId}) {
			const before = idsOf('abilities');
			const created = (id: number | undefined) =>
				id === undefined ? undefined : changesOf('ability', {id, name}, [['exists', false, true]]);
			return {
				made: ({capabilityId}) => created(capabilityId),
				shown: ({abilities}) => created(abilities?.records.find(record => !before.has(record.id) && rawName(record) === name)?.id),
				isDenied: ({abilities}) => hasNothingNew(abilities, before),
				listed: {shownBy: resources, explains: change => isNamed(change, name) || (change.kind === 'agent' && change.record === agentId)},
			};
		},
		deleteAbility: ({id, name}) => ({
			...removal('abilities', changesOf('ability', {id, name: nameOf('abilities', id, name)}, [['exists', true, false]])),
			listed: {shownBy: resources, explains: removalOf(name)},
		}),
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
				listed: {
					shownBy: ['installed'],
					explains: change => change.field === 'installed' && change.to === true && isNamed(change, ability.name),
				},
			};
		},
		uninstallAbility: ({id, name}) => ({
			...removal('installed', changesOf('installed', {id, name: nameOf('installed', id, name)}, [['installed', true, false]])),
			listed: {shownBy: ['installed', 'agents'], explains: removalOf(name)},
		}),
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

/** True for a change of an ability, or of an installed ability with its name. */
const isNamed = (change: RecordChange, name: string): boolean => change.kind !== 'agent' && cleanName(change.name) === name;

const isOf = ({kind, record}: RecordChange, wanted: RecordKind, id: number): boolean => kind === wanted && record === id;

/** Returns the sent value for the field of a change. */
const valueIn = (values: Values, {field}: RecordChange): JsonValue | undefined => values[field as FieldName];

const removalOf =
	(name: string): Listed['explains'] =>
	change =>
		(isPresence(change) && change.to === false && isNamed(change, name)) || change.field === 'abilities';
