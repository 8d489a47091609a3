import {type DryRunOption, noteDryRun, startChange} from '../dry-run.ts';
import type {Context} from '../context.ts';
import {refuseUnaskable} from '../input/confirm.ts';
import {applyPlan} from '../state/apply-plan.ts';
import {confirmPlan} from '../state/confirm-plan.ts';
import {printPlan} from '../state/print-plan.ts';
import {reportOutcomes, throwFailedChanges} from '../state/report-outcomes.ts';
import type {StepOutcome} from '../state/step-outcome.ts';
import {chooseTarget, withTarget, type Service} from '../with-service.ts';
import type {Presets} from '../../settings/presets.ts';
import type {Preset} from '../../state/preset.ts';
import {noteFailed, planPreset, type PresetSwitches} from './plan-preset.ts';
import {findStoredPreset, openTargetPresets} from './stored-presets.ts';
import {applyCommand, saveWayBack} from './way-back.ts';

export type ApplyPresetOptions = DryRunOption & {readonly yes?: boolean};

type StoredPreset = {readonly presets: Presets; readonly preset: Preset};

/** What was sent may still arrive. */
const mayBeSwitched = (outcome: StepOutcome): boolean => 'result' in outcome || outcome.error.isOutcomeUnknown;

const switchAll = async (
	context: Context,
	service: Service,
	{presets, preset}: StoredPreset,
	{yes: isSure = false, dryRun: isDryRun = false}: ApplyPresetOptions,
): Promise<readonly StepOutcome[]> => {
	const carryOut = async (plan: PresetSwitches): Promise<readonly StepOutcome[]> => {
		const backName = await saveWayBack(context, presets, {name: preset.name, plan, isSure});
		const outcomes = [...await applyPlan(context, service, plan), ...plan.failed];
		await reportOutcomes(context, outcomes, plan);
		if (backName !== undefined && outcomes.some(outcome => mayBeSwitched(outcome))) {
			context.note(`To go back: ${applyCommand(context, backName)}`);
		}

		return outcomes;
	};

	const makePlan = async () => planPreset(context, service, preset);
	const plan = await makePlan();
	if (isDryRun || plan.steps.length + plan.failed.length === 0) {
		await printPlan(context, plan);
		noteFailed(context, plan);
		noteDryRun(context);
		return [];
	}

	if (isSure || plan.steps.length === 0) {
		return context.finishBeforeExit(carryOut(plan));
	}

	noteFailed(context, plan);
	const agreed = await confirmPlan(context, plan, makePlan);
	return context.finishBeforeExit(carryOut(agreed));
};

/** Switches what a preset names, after a question, and saves the state before as a preset that brings it back. */
export const applyPreset = async (given: Context, name: string, options: ApplyPresetOptions): Promise<void> => {
	const context = startChange(given, options);
	if (!options.dryRun) {
		refuseUnaskable(context, options.yes ?? false, 'apply the preset');
	}

	const target = await chooseTarget(context);
	const presets = openTargetPresets(context, target);
	const preset = await findStoredPreset(presets, name);
	throwFailedChanges(await withTarget(context, target, async service => switchAll(context, service, {presets, preset}, options)));
};
