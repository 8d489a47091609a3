import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {counted} from '../../interface/format-count.ts';
import type {Context} from '../context.ts';
import {confirm} from '../input/confirm.ts';
import {notSent} from '../item-outcome.ts';
import {planLines, type Planned} from './print-plan.ts';
import {toPublicChanges} from './public-changes.ts';
import {reportOutcomes} from './report-outcomes.ts';

const reportDeclined = async ({options, note, printJson}: Context, planned: Planned): Promise<void> => {
	note('Nothing was changed.');
	if (!options.isJson) {
		return;
	}

	const {changes, unchanged} = toPublicChanges(planned);
	await printJson({changes: changes.map(change => ({...change, done: false})), unchanged});
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
@returns that plan; `undefined` if the answer is no.
@throws SwitchboardError `conflict` if it is another one by then.
*/
export const confirmPlan = async <P extends Planned>(context: Context, plan: P, planAgain: () => Promise<P>): Promise<P | undefined> => {
	context.note(planLines(plan).join('\n'));
	const changeCount = plan.steps.reduce((sum, {changes}) => sum + changes.length, 0);
	try {
		if (!await confirm(context, `Make ${changeCount === 1 ? 'this change' : `these ${counted(changeCount, 'change')}`}?`)) {
			await reportDeclined(context, plan);
			return undefined;
		}
	} catch (error) {
		if (toSwitchboardError(error).kind === 'interrupted') {
			await reportOutcomes(context, plan.steps.map(step => notSent(step, context.readSignal)), plan);
		}

		throw error;
	}

	const now = await planAgain();
	refuseOther(plan, now);
	return now;
};
