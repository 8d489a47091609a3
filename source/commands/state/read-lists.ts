import {SwitchboardError} from '../../interface/errors.ts';
import {indexList} from '../../state/list-index.ts';
import type {Lists} from '../../state/plan.ts';
import type {State} from '../../state/state.ts';
import type {Context} from '../context.ts';
import {readResourceList} from '../read-list.ts';
import type {Service} from '../with-service.ts';

const needsAbilities = ({abilities, agents}: State): boolean => abilities.length > 0 || agents.some(agent => agent.abilities !== undefined);

/** An ability that is not installed may exist. */
const hasMissing = ({installed}: State, lists: Lists): boolean => {
	const index = indexList(lists.installed);
	return installed.some(({name}) => index.find(name).length === 0);
};

/** Switching off what a state does not name takes a list of all that there is. */
const refuseIncomplete = ({installed}: Lists): void => {
	if (installed !== undefined && (!installed.isComplete || installed.leftOutCount > 0)) {
		throw new SwitchboardError('refused', 'The list of installed abilities is incomplete, so --prune cannot tell what to switch off. Nothing was done.', {
			nextStep: 'Leave out --prune.',
		});
	}
};

/**
Reads the lists that a state needs, each once.

@throws SwitchboardError `usage` or `refused` if it is to prune and cannot.
*/
export const readLists = async (context: Context, service: Service, state: State, {isPruning}: {readonly isPruning: boolean}): Promise<Lists> => {
	if (isPruning && state.installed.length === 0) {
		throw new SwitchboardError('usage', '--prune switches off what the file does not name, and it names nothing under “installed:”. Nothing was done.', {
			nextStep: 'Name what is to stay on, or use: switchboard disable --all',
		});
	}

	const first: Lists = {
		...(state.installed.length > 0 && {installed: await readResourceList(context, service, 'installed')}),
		...(state.agents.length > 0 && {agents: await readResourceList(context, service, 'agents')}),
	};
	if (isPruning) {
		refuseIncomplete(first);
	}

	return needsAbilities(state) || hasMissing(state, first)
		? {...first, abilities: await readResourceList(context, service, 'abilities')}
		: first;
};
