import {type DryRunOption, noteDryRun, startChange} from '../dry-run.ts';
import type {Context} from '../context.ts';
import {refuseUnaskable} from '../input/confirm.ts';
import {applyPlan} from '../state/apply-plan.ts';
import {confirmPlan} from '../state/confirm-plan.ts';
import {printPlan} from '../state/print-plan.ts';
import {reportOutcomes, throwFailedChanges} from '../state/report-outcomes.ts';
import type {StepOutcome} from '../state/step-outcome.ts';
import {chooseTarget, withTarget, type Service} from '../with-service.ts';
import type {Preset} from '../../state/preset.ts';
import {noteFailed, planPreset, type PresetSwitches} from './plan-preset.ts';
import {findStoredPreset, openTargetPresets} from './stored-presets.ts';
import {wayBack} from './way-back.ts';

export type ApplyPresetOptions = DryRunOption & {readonly yes?: boolean};

const carryOut = async (context: Context, service: Service, plan: PresetSwitches): Promise<readonly StepOutcome[]> => {
	const outcomes = [...await applyPlan(context, service, plan), ...plan.failed];
	await reportOutcomes(context, outcomes, plan);
	const back = wayBack(context, outcomes);
	if (back.length > 0) {
		context.note(`To go back:\n${back.map(line => `  ${line}`).join('\n')}`);
	}

	return outcomes;
};

const switchAll = async (context: Context, service: Service, preset: Preset, {yes: isSure = false, dryRun: isDryRun = false}: ApplyPresetOptions): Promise<readonly StepOutcome[]> => {
	const makePlan = async () => planPreset(context, service, preset);
	const plan = await makePlan();
	if (isDryRun || plan.steps.length + plan.failed.length === 0) {
		await printPlan(context, plan);
		noteFailed(context, plan);
		noteDryRun(context);
		return [];
	}

	if (isSure || plan.steps.length === 0) {
		return context.finishBeforeExit(carryOut(context, service, plan));
	}

	noteFailed(context, plan);
	const agreed = await confirmPlan(context, plan, makePlan);
	return agreed === undefined ? [] : context.finishBeforeExit(carryOut(context, service, agreed));
};

/** Switches what a preset names, after a question, and says how to go back. */
export const applyPreset = async (given: Context, name: string, options: ApplyPresetOptions): Promise<void> => {
	const context = startChange(given, options);
	if (!options.dryRun) {
		refuseUnaskable(context, options.yes ?? false, 'apply the preset');
	}

	const target = await chooseTarget(context);
	const preset = await findStoredPreset(openTargetPresets(context, target), name);
	throwFailedChanges(await withTarget(context, target, async service => switchAll(context, service, preset, options)));
};
