import process from 'node:process';
import {type Static, Type} from 'typebox';
import {readState} from '../../state/read-state.ts';
import {refuseEmptyPrompts} from '../state/apply-agents.ts';
import {applyPlan} from '../state/apply-plan.ts';
import {preparePlan, type Plan} from '../state/prepare-plan.ts';
import {toPublicChanges, toPublicOutcomes} from '../state/public-changes.ts';
import {failureOf} from './failure-of.ts';
import {commonOutput, errorSchema} from './results.ts';
import {changesOutput, toShownChanges} from './shown-changes.ts';
import {
	closedObject,
	defineTool,
	type Call,
	type Tool,
} from './tool.ts';

const stateHelp = `The state as YAML or JSON, for example:
version: 1
installed:
  pantry: on
  nightwatch: {enabled: off, triggers: [watch the house]}
agents:
  Hearth: {name: Hearth, prompt: You look after a house., abilities: [pantry, nightwatch]}
Refer to records by name. What the state does not name is left alone. It cannot refer to files: source and prompt_file are refused.`;

const applyHelp = [
	'Changes the service to match a state, and returns the outcome of each change. Goes on if a change fails; call it again for the changes that are left.',
	'The prompts that it replaces are kept, and a person can bring them back. It refuses to make a prompt empty.',
].join(' ');

const state = Type.String({minLength: 1, maxLength: 1024 * 1024, description: stateHelp});

const pruningInput = closedObject({
	state,
	prune: Type.Optional(Type.Boolean({default: false, description: 'True to also switch off every installed ability that “installed:” does not name.'})),
});

const inputFor = (isPruneAllowed: boolean): typeof pruningInput =>
	// Without the argument it is always left out.
	isPruneAllowed ? pruningInput : closedObject({state}) as unknown as typeof pruningInput;

const plan = async ({context, service}: Call, {state: text, prune = false}: Static<typeof pruningInput>): Promise<Plan> =>
	preparePlan(
		context,
		service,
		await readState(text, {
			label: 'state', folder: process.cwd(), isOutsideAllowed: false, arePathsAllowed: false,
		}),
		{isPruning: prune},
	);

/** Planning and applying a state; with `prune` among the arguments if the server allows that. */
export const stateTools = (isPruneAllowed: boolean): readonly Tool[] => {
	const input = inputFor(isPruneAllowed);
	return [
		defineTool({
			name: 'plan_state',
			title: 'Plan a state',
			description: 'Returns what apply_state would change to make the service match a state. Changes nothing.',
			isWriting: false,
			input,
			output: Type.Object({...changesOutput, ...commonOutput}),
			run: async (call, given) => ({output: toShownChanges(toPublicChanges(await plan(call, given)))}),
		}),
		defineTool({
			name: 'apply_state',
			title: 'Apply a state',
			description: applyHelp,
			isWriting: true,
			input,
			output: Type.Object({...changesOutput, error: Type.Optional(errorSchema), ...commonOutput}),
			async run(call, given) {
				const prepared = await plan(call, given);
				refuseEmptyPrompts(call.context, prepared.steps);
				const outcomes = await applyPlan(call.context, call.service, prepared);
				return {output: toShownChanges(toPublicOutcomes(outcomes, prepared)), error: failureOf(outcomes, 'done')};
			},
		}),
	];
};
