import type {AgentChanges, ResourceList} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {cleanName, type Ability, type Agent} from '../../interface/records.ts';
import {indexList, type ListIndex} from '../../state/list-index.ts';
import type {Step, StepOf, Tie} from '../../state/plan.ts';
import type {Context} from '../context.ts';
import {refuseEmptyPrompt} from '../replace-prompt.ts';
import {hasChanges} from '../send-edit.ts';
import type {Service} from '../with-service.ts';
import {applySteps} from './apply-steps.ts';
import {findBlocker, stepsOf, type StepOutcome} from './step-outcome.ts';

type AgentStep = StepOf<'agent'>;

const newTies = ({edit: {ties = []}}: AgentStep): readonly Tie[] => ties.filter(({id}) => id === undefined);

/** The id of an ability that was created before. */
const findCreated = (abilities: ListIndex<Ability>, {name}: Tie): number => {
	const [ability, ...others] = abilities.find(name);
	if (ability === undefined || others.length > 0) {
		throw new SwitchboardError('not-found', `The list of abilities does not tell which one is ${name}, which was created.`, {nextStep: 'Run the command again.'});
	}

	return ability.id;
};

/** @throws SwitchboardError `usage` if a prompt would become empty, unless `--yes` was given. */
export const refuseEmptyPrompts = (context: Context, steps: readonly Step[]): void => {
	for (const {name, edit} of stepsOf(steps, 'agent')) {
		refuseEmptyPrompt(context, cleanName(name), edit.prompt);
	}
};

/**
Edits agents, each in one request.

@param created - the outcomes of the abilities that they may be tied to.
*/
export const applyAgents = async (context: Context, {client}: Service, steps: readonly AgentStep[], created: readonly StepOutcome[]): Promise<readonly StepOutcome[]> => {
	let reading: Promise<ResourceList<Ability>> | undefined;
	const sent = new Map<AgentStep, AgentChanges>();

	const toChanges = async (step: AgentStep): Promise<AgentChanges> => {
		const {name, prompt, ties} = step.edit;
		if (newTies(step).length > 0) {
			reading ??= client.list('abilities', context.readSignal);
		}

		const abilities = indexList(await reading);
		return {
			name, prompt, canLosePrompt: context.isSure, abilityIds: ties?.map(tie => tie.id ?? findCreated(abilities, tie)),
		};
	};

	return applySteps<AgentStep, Agent>(context, steps, {
		doing: 'Changing agents',
		blockerOf: step => findBlocker(created, ...newTies(step).map(({name}) => name)),
		async action(step) {
			const changes = await toChanges(step);
			sent.set(step, changes);
			await client.editAgent(step.agent, changes, context.writeSignal);
		},
		lookUp: {
			read: async signal => client.list('agents', signal),
			isDone(step, {records}) {
				const seen = records.find(({id}) => id === step.agent.id);
				return seen && hasChanges(seen, sent.get(step)!);
			},
			nextStep: 'Check with: switchboard agents',
		},
	});
};
