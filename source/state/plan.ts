import type {PackedAbility} from '../bundle/pack-ability.ts';
import type {Change} from '../changes/change.ts';
import {findField, kindOf, type ClientValues, type FieldName} from '../changes/fields.ts';
import type {ResourceList} from '../client/client.ts';
import type {Former} from '../changes/removals.ts';
import type {ChangeOutcome} from '../changes/send-changes.ts';
import type {FoundRelease} from '../client/release-source.ts';
import type {SwitchboardError} from '../interface/errors.ts';
import type {JsonObject, JsonValue} from '../interface/json.ts';
import {didYouMean, indexNames, listCandidates, nearestNames, type NameIndex} from '../interface/name-index.ts';
import {
	cleanName,
	rawName,
	type Ability,
	type DecodedRecord,
	type InstalledAbility,
	type Records,
	type Resource,
	type Named,
} from '../interface/records.ts';
import type {NamedPlace, Problem} from './state.ts';
import type {DiffLine} from './text-diff.ts';

export type ListIndex<Record_ extends Named> = NameIndex<Record_> & {
	readonly records: readonly Record_[];
	/** False if the list is incomplete: a name that is not in it may still exist. */
	readonly isComplete: boolean;
};

export type CreatedNames = NameIndex<{readonly name: string}> & Pick<ListIndex<Named>, 'isComplete'>;

/** @param list - `undefined` if it was not needed and was not read. */
export function indexList<Record_ extends Named>(list: ResourceList<Record_> | undefined): ListIndex<Record_> {
	const {records = [], isComplete = true} = list ?? {};
	return {...indexNames(records), records, isComplete};
}

/** Tells whether a name that is not found certainly does not exist: creating a record with an existing name would duplicate it. */
export function showsAllNames({records, isComplete}: Pick<ListIndex<DecodedRecord>, 'records' | 'isComplete'>): boolean {
	return isComplete && records.every(({raw: {name}}) => typeof name === 'string' && name !== '');
}

export function ambiguousName({name, place}: NamedPlace, candidates: readonly Named[]): Problem {
	return {
		place,
		kind: 'ambiguous',
		message: `Several are named “${cleanName(name)}”: ${listCandidates(candidates)}. ${
			candidates[0]!.name === candidates[1]!.name ? 'Rename or delete the others' : 'Spell it as the one that is meant'
		}.`,
	};
}

/**
@param noun - the kind of record, such as `agent`.
@param indexes - the places where the name was looked up.
*/
export function missingName(
	{name, place}: NamedPlace,
	noun: string,
	indexes: ReadonlyArray<Pick<ListIndex<Named>, 'findNear' | 'isComplete'>>,
): Problem {
	const near = nearestNames(
		name,
		indexes.flatMap(index => index.findNear(name)),
	);
	const isKnown = indexes.every(({isComplete}) => isComplete);
	return {
		place,
		kind: 'not-found',
		message: [
			isKnown ? `There is no ${noun} “${cleanName(name)}”.` : `There is no ${noun} “${cleanName(name)}” in the list, which is incomplete.`,
			didYouMean(near) ?? '',
		]
			.join(' ')
			.trimEnd(),
	};
}

/** The lists of the service, as far as they were read. */
export type Lists = {readonly [R in Resource]?: ResourceList<Records[R]>};

/** An ability that an agent should have; without an id if this state creates it. */
export type Tie = {readonly id: number | undefined; readonly name: string};

type SetAction = {
	[R in Resource]: {
		readonly kind: 'set';
		readonly resource: R;
		/** `undefined` if an earlier step creates it. */
		readonly record: Records[R] | undefined;
		readonly values: ClientValues[R];
		/** Fields that have no command, from before the record was removed; an earlier step brings the record back. */
		readonly flags?: JsonObject | undefined;
		/** All abilities that an agent should have, if an earlier step creates some of them. */
		readonly ties?: readonly Tie[] | undefined;
	};
}[Resource];

/** An ability before it is removed; with its package if it is deleted. */
type Removal = {readonly former: Former; readonly zip?: Uint8Array | undefined};

type Action =
	| SetAction
	| {readonly kind: 'install'; readonly record: Ability}
	| {readonly kind: 'delete'; readonly record: Ability; readonly removal?: Removal | undefined}
	| {readonly kind: 'uninstall'; readonly record: InstalledAbility; readonly removal?: Removal | undefined}
	| {
			readonly kind: 'create';
			readonly record?: undefined;
			/** True if the ability is to be uninstalled again on a service that installs uploads. */
			readonly isNotInstalled?: boolean;
			readonly packed: PackedAbility;
			readonly agentId?: number | undefined;
			/** The abilities before the upload: the new one is found by comparing. */
			readonly before: ResourceList<Ability> | undefined;
	  }
	| {
			readonly kind: 'release';
			readonly record: Ability;
			readonly packed: Pick<PackedAbility, 'contents'>;
			/** The release that takes the code; `undefined` if the ability is installed first, which shows it. */
			readonly release: FoundRelease | undefined;
			readonly message: string;
			readonly isDraft?: boolean;
			readonly difference?: readonly DiffLine[] | undefined;
	  }
	/** Uses an earlier version of an ability again. */
	| {readonly kind: 'reuse'; readonly record: Ability; readonly version: string; readonly releaseId: number};

/** The work of one request, with the changes that it makes. */
export type Step = Action & {
	/** The name of the record that it changes, as the service returned it. */
	readonly name: string;
	readonly changes: readonly Change[];
	/** True if the service shows the result already: then nothing is sent. */
	readonly isDone?: boolean;
	readonly problem?: SwitchboardError | undefined;
	/** The next step after a temporary failure, if sending the step again might undo it. */
	readonly advice?: string | undefined;
};

export type StepOf<Kind extends Step['kind']> = Extract<Step, {readonly kind: Kind}>;

export function stepsOf<Kind extends Step['kind']>(steps: readonly Step[], ...kinds: readonly Kind[]): ReadonlyArray<StepOf<Kind>> {
	return steps.filter((step): step is StepOf<Kind> => (kinds as readonly string[]).includes(step.kind));
}

export type StepResult = {
	/** False if nothing was sent because nothing was needed, or because the service does not offer the operation. */
	readonly isChanged: boolean;
	/** The record as the answer or the list shows it, or as it was sent. */
	readonly record?: DecodedRecord | undefined;
	/** The id of an ability that was created. */
	readonly id?: number | undefined;
	readonly version?: string | undefined;
	/** The service's message about an upload. */
	readonly detail?: string;
};

export type StepOutcome = ChangeOutcome<Step, StepResult>;

/** A step that sets values of records of one kind. */
export type SetStep<R extends Resource> = Extract<StepOf<'set'>, {readonly resource: R}>;

/** Returns the steps that set values of records of one kind. */
export function setsOf<R extends Resource>(steps: readonly Step[], resource: R): ReadonlyArray<SetStep<R>> {
	return stepsOf(steps, 'set').filter((step): step is SetStep<R> => step.resource === resource);
}

/** Tells whether a step switches an installed ability. */
export function isSwitch(step: Step): step is SetStep<'installed'> {
	return step.kind === 'set' && step.resource === 'installed' && step.values.enabled !== undefined;
}

/** Tells whether a step only sets or cancels the timer of an installed ability. */
export function setsTimer(step: Step): boolean {
	return step.kind === 'set' && step.resource === 'installed' && Object.keys(step.values).every(field => field === 'timer');
}

/**
Returns the step that sets values of a record.

@param record - `undefined` for an installed ability that an earlier step creates.
@param tied - the change of an agent's abilities, by name.
*/
export function setStep<R extends Resource>(
	resource: R,
	record: Records[R] | undefined,
	values: ClientValues[R],
	{tied, name = rawName(record!), ...rest}: Partial<SetStep<Resource>> & {readonly tied?: Change | undefined} = {},
): Step {
	const changes = (Object.entries(values) as ReadonlyArray<readonly [FieldName, JsonValue | undefined]>)
		.filter(([field, to]) => to !== undefined && field !== 'abilities')
		.map(([field, to]): Change => {
			const from = record && findField(resource, field)!.read(record);
			// Unlike a text, phrases that are null are an empty list.
			return {kind: kindOf[resource], name, field, from: from ?? (record && field === 'triggers' ? [] : null), to: to!};
		});
	return {...rest, kind: 'set', resource, name, record, values, changes: tied === undefined ? changes : [...changes, tied]} as Step;
}

export type StatePlan = {
	/** In the order of the state. */
	readonly steps: readonly Step[];
	/** The number of entries whose values the service has already. */
	readonly unchangedCount: number;
	readonly problems: readonly Problem[];
	/** The abilities whose timers decide whether they are on; what the state says of that counts as unchanged. */
	readonly timed: readonly InstalledAbility[];
};
