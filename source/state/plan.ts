import type {AbilityChanges, ResourceList} from '../client/client.ts';
import {didYouMean, indexNames, listCandidates, nearestNames, type NameIndex} from '../interface/name-index.ts';
import {
	cleanName,
	type Ability,
	type Agent,
	type DecodedRecord,
	type InstalledAbility,
	type Records,
	type Resource,
} from '../interface/records.ts';
import type {Change} from '../changes/change.ts';
import type {AbilityEntry, NamedPlace, Problem} from './state.ts';

type Named = {readonly id: number; readonly name: string};

/** The records of a list, by name. */
export type ListIndex<Record_ extends Named> = NameIndex<Record_> & {
	readonly records: readonly Record_[];
	/** False if the list is not: then a name that is not in it may still exist. */
	readonly isComplete: boolean;
};

/** The names of the abilities that a state creates. */
export type CreatedNames = NameIndex<{readonly name: string}> & Pick<ListIndex<Named>, 'isComplete'>;

/** @param list - `undefined` if it was not needed, and so not read. */
export const indexList = <Record_ extends Named>(list: ResourceList<Record_> | undefined): ListIndex<Record_> => {
	const {records = [], isComplete = true} = list ?? {};
	return {...indexNames(records), records, isComplete};
};

/** True if a name that is not found is no record's. Creating one that is there already would make two. */
export const showsAllNames = ({records, isComplete}: Pick<ListIndex<DecodedRecord>, 'records' | 'isComplete'>): boolean =>
	isComplete && records.every(({raw: {name}}) => typeof name === 'string' && name !== '');

export const ambiguousName = ({name, place}: NamedPlace, candidates: readonly Named[]): Problem => ({
	place,
	kind: 'ambiguous',
	message: `Several are named “${cleanName(name)}”: ${listCandidates(candidates)}. ${
		candidates[0]!.name === candidates[1]!.name ? 'Rename or delete the others' : 'Spell it as the one that is meant'
	}.`,
});

/**
@param noun - what it should be, such as `agent`.
@param indexes - where it was looked for.
*/
export const missingName = (
	{name, place}: NamedPlace,
	noun: string,
	indexes: ReadonlyArray<Pick<ListIndex<Named>, 'findNear' | 'isComplete'>>,
): Problem => {
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
};

/** The lists of the service, as far as they were read. */
export type Lists = {readonly [R in Resource]?: ResourceList<Records[R]>};

/** An ability that an agent is to have; without an id if the same state creates it. */
export type Tie = {readonly id: number | undefined; readonly name: string};

/** The changes of an agent, all in one request. */
export type AgentEdit = {
	readonly name?: string;
	readonly prompt?: string;
	/** All abilities that it is to have. */
	readonly ties?: readonly Tie[];
};

type Action =
	| {readonly kind: 'create'; readonly entry: AbilityEntry}
	| {readonly kind: 'release'; readonly entry: AbilityEntry; readonly ability: Ability}
	| {readonly kind: 'install'; readonly ability: Ability}
	/** The record is `undefined` if an earlier step brings it. */
	| {readonly kind: 'switch'; readonly record: InstalledAbility | undefined; readonly isEnabled: boolean}
	| {readonly kind: 'phrases'; readonly record: InstalledAbility | undefined; readonly phrases: readonly string[]}
	| {readonly kind: 'agent'; readonly agent: Agent; readonly edit: AgentEdit}
	| {readonly kind: 'ability'; readonly ability: Ability; readonly edit: AbilityChanges};

/** The work of one request, with the changes that it makes. */
export type Step = Action & {
	/** Of the record that it changes, as the service returned it. */
	readonly name: string;
	readonly changes: readonly Change[];
};

export type StepOf<Kind extends Step['kind']> = Extract<Step, {readonly kind: Kind}>;

export const stepsOf = <Kind extends Step['kind']>(steps: readonly Step[], ...kinds: readonly Kind[]): ReadonlyArray<StepOf<Kind>> =>
	steps.filter((step): step is StepOf<Kind> => (kinds as readonly string[]).includes(step.kind));

/** The changes of a state, and the problems that prevent them. */
export type StatePlan = {
	/** In the order of the state. */
	readonly steps: readonly Step[];
	/** How many entries already are as the state says. */
	readonly unchangedCount: number;
	readonly problems: readonly Problem[];
};
