import {type ResourceList} from '../client/client.ts';
import {
	type Ability,
	type Agent,
	type InstalledAbility,
	type Records,
	type Resource,
} from '../interface/records.ts';
import {type Change} from './change.ts';
import {type Problem} from './problems.ts';
import {type AbilityEntry} from './state.ts';

/** The lists of the service, as far as they were read. */
export type Lists = {readonly [R in Resource]?: ResourceList<Records[R]>};

/** An ability that an agent is to have; without an id if the same state creates it. */
export type Tie = {readonly id: number | undefined; readonly name: string};

/** What is to change of an agent: all in one request. */
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
	| {readonly kind: 'agent'; readonly agent: Agent; readonly edit: AgentEdit};

/** What one request does, with the changes that it makes. */
export type Step = Action & {
	/** Of the record that it changes, as the service returned it. */
	readonly name: string;
	readonly changes: readonly Change[];
};

export type StepOf<Kind extends Step['kind']> = Extract<Step, {readonly kind: Kind}>;

/** What one part of a state would change, or why it cannot be. */
export type PlanPart = {
	/** In the order of the state. */
	readonly steps: readonly Step[];
	/** How many entries already are as the state says. */
	readonly unchangedCount: number;
	readonly problems: readonly Problem[];
};

export const unchanged: PlanPart = {steps: [], unchangedCount: 1, problems: []};

export const problem = (...problems: readonly Problem[]): PlanPart => ({steps: [], unchangedCount: 0, problems});

/** A part with these steps; without any, its entry is unchanged. */
export const stepsOrUnchanged = (steps: readonly Step[]): PlanPart => steps.length === 0 ? unchanged : {steps, unchangedCount: 0, problems: []};

export const joinParts = (parts: readonly PlanPart[]): PlanPart => ({
	steps: parts.flatMap(({steps}) => steps),
	unchangedCount: parts.reduce((sum, {unchangedCount}) => sum + unchangedCount, 0),
	problems: parts.flatMap(({problems}) => problems),
});
