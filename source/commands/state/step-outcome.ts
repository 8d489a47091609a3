import {SwitchboardError} from '../../interface/errors.ts';
import {nameIdentity} from '../../interface/name-index.ts';
import type {Step, StepOf} from '../../state/plan.ts';
import type {FailedItem, ItemOutcome} from '../item-outcome.ts';

/** What became of a step. */
export type StepOutcome<Done extends Step = Step> = ItemOutcome<Done, true>;

export const stepsOf = <Kind extends Step['kind']>(steps: readonly Step[], ...kinds: readonly Kind[]): ReadonlyArray<StepOf<Kind>> =>
	steps.filter((step): step is StepOf<Kind> => (kinds as readonly string[]).includes(step.kind));

/** A failed step of one of these names: what needs it is not sent. */
export const findBlocker = (outcomes: readonly StepOutcome[], ...names: readonly string[]): FailedItem<Step> | undefined => {
	const wanted = new Set(names.map(name => nameIdentity(name)));
	return outcomes.filter(outcome => 'error' in outcome).find(({item}) => wanted.has(nameIdentity(item.name)));
};

const verbs: Readonly<Partial<Record<Step['kind'], string>>> = {create: 'created', install: 'installed', switch: 'switched'};

/** The outcome of a step that is not sent because another failed. */
export const blockedBy = <Blocked extends Step>(item: Blocked, {item: {kind, name}, error}: FailedItem<Step>): FailedItem<Blocked> => ({
	item,
	isNotSent: true,
	error: new SwitchboardError(error.kind, `Not sent, because ${name} was not ${verbs[kind] ?? 'changed'} first.`, {nextStep: error.nextStep}),
});
