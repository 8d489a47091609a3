import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {applyAgents} from './apply-agents.ts';
import {applyEdits} from './apply-edits.ts';
import {applyInstalls} from './apply-installs.ts';
import {applySources} from './apply-sources.ts';
import type {Plan} from './prepare-plan.ts';
import {findBlocker, stepsOf, type StepOutcome} from './step-outcome.ts';

/**
Does what a plan says, in an order in which each step finds what it needs, and goes on past what fails. Prints nothing. After a
signal, or when the time is up, no further step is sent: run it within `finishBeforeExit`.

@returns the outcome of each step, in the order of the plan.
*/
export const applyPlan = async (context: Context, service: Service, plan: Plan): Promise<readonly StepOutcome[]> => {
	const {steps, sources} = plan;
	const [creates, releases] = [stepsOf(steps, 'create'), stepsOf(steps, 'release')];
	const isReady = ({entry}: (typeof releases)[number]): boolean => sources.get(entry)?.release !== undefined;
	const sent = await applySources(context, service, plan, [...creates, ...releases.filter(step => isReady(step))]);
	const installed = await applyInstalls(context, service, stepsOf(steps, 'install'));
	const sentLater = await applySources(context, service, plan, releases.filter(step => !isReady(step)), ({name}) => findBlocker(installed, name));
	const created = sent.filter(({item}) => item.kind === 'create');
	const edited = await applyEdits(context, service, {switches: stepsOf(steps, 'switch'), phrases: stepsOf(steps, 'phrases')}, [...created, ...installed]);
	const changed = await applyAgents(context, service, stepsOf(steps, 'agent'), created);
	const outcomes = new Map([...sent, ...installed, ...sentLater, ...edited, ...changed].map(outcome => [outcome.item, outcome]));
	return steps.map(step => outcomes.get(step)!);
};
