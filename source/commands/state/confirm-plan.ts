import {SwitchboardError} from '../../interface/errors.ts';
import {counted} from '../../interface/format-count.ts';
import type {Context} from '../context.ts';
import {confirm, requireYes} from '../input/confirm.ts';
import {notSent} from '../item-outcome.ts';
import {planLines, type Planned} from './print-plan.ts';
import {toPublicChanges, toPublicOutcomes} from './public-changes.ts';

const reportUndone = async ({options, printJson, readSignal}: Context, planned: Planned, isCut: boolean): Promise<void> => {
	if (!options.isJson) {
		return;
	}

	const {changes, unchanged} = toPublicChanges(planned);
	await printJson(isCut
		? toPublicOutcomes(planned.steps.map(step => notSent(step, readSignal)), planned)
		: {changes: changes.map(change => ({...change, done: false})), unchanged});
};

/** Refuses a plan that is no longer the one that the person agreed to. */
const refuseOther = (agreed: Planned, {steps}: Planned): void => {
	const changesOf = (planned: Planned['steps']): string => JSON.stringify(planned.map(({kind, changes}) => [kind, changes]));
	if (changesOf(agreed.steps) !== changesOf(steps)) {
		throw new SwitchboardError('conflict', 'What has to be changed is no longer what was shown. Nothing was done.', {nextStep: 'Run the command again to see it anew.'});
	}
};

/**
Shows a plan on standard error and asks whether to carry it out. A person may take long, so the plan is then made again.

@param planAgain - returns the plan for what the service has now.
@returns that plan.
@throws SwitchboardError `cancelled` if the answer is no, `conflict` if it is another plan by then.
*/
export const confirmPlan = async <P extends Planned>(context: Context, plan: P, planAgain: () => Promise<P>): Promise<P> => {
	context.note(planLines(plan).join('\n'));
	const changeCount = plan.steps.reduce((sum, {changes}) => sum + changes.length, 0);
	await requireYes(context, async () => confirm(context, `Make ${changeCount === 1 ? 'this change' : `these ${counted(changeCount, 'change')}`}?`), {
		ifNo: 'Nothing was changed.',
		report: async isCut => reportUndone(context, plan, isCut),
	});
	const now = await planAgain();
	refuseOther(plan, now);
	return now;
};
