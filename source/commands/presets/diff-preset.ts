import type {Context} from '../context.ts';
import {exitWithDifference, type ExitCodeOption} from '../exit-code-option.ts';
import {toPublicError} from '../report-error.ts';
import {printPlan} from '../state/print-plan.ts';
import {toPublicChanges} from '../state/public-changes.ts';
import {chooseTarget, withTarget} from '../with-service.ts';
import {noteFailed, planPreset} from './plan-preset.ts';
import {findStoredPreset, openTargetPresets} from './stored-presets.ts';

/** Shows what a preset would switch. */
export const diffPreset = async (context: Context, name: string, options: ExitCodeOption): Promise<void> => {
	const target = await chooseTarget(context);
	const preset = await findStoredPreset(openTargetPresets(context, target), name);
	const plan = await withTarget(context, target, async service => planPreset(context, service, preset));
	exitWithDifference(context, options, plan.steps);
	if (!context.options.isJson) {
		await printPlan(context, plan);
		noteFailed(context, plan);
		return;
	}

	const {changes, unchanged} = toPublicChanges(plan);
	const failed = plan.failed.flatMap(({item, error}) => item.changes.map(change => ({...change, error: toPublicError(error)})));
	await context.printJson({changes: [...changes, ...failed], unchanged});
};
