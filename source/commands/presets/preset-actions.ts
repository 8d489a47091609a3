import {isDeepStrictEqual} from 'node:util';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {didYouMean, nearestNames} from '../../interface/name-index.ts';
import {presetAccountOf} from '../../settings/account.ts';
import {
	openPresets,
	refusePresetName,
	cleanPresetName,
	findPreset,
	maximumNameLength,
	type Presets,
	type Preset,
} from '../../settings/presets.ts';
import {shellWord} from '../../platform/shell-word.ts';
import type {Target} from '../../settings/target.ts';
import {setsOf, setStep, type Step, type StepOutcome} from '../../state/plan.ts';
import {createPresetPlanner, takePreset} from '../../state/preset.ts';
import {refuseReadOnly, type Context} from '../context.ts';
import {readList} from '../find-records.ts';
import {confirmOnTerminal} from '../input/confirm.ts';
import {exitWithDifference, type ExitCodeOption} from '../options.ts';
import {printResult} from '../output/table.ts';
import {runPlan, printPlan, sendableSteps, throwFailedChanges} from '../run-plan.ts';
import type {Plan} from '../prepare-plan.ts';
import {keepTimers, noteStaying, readTimer, refuseUnkept, switchStep, type GivenTimer, type TimerOptions} from '../timed-switch.ts';
import {chooseTarget, targetWords, withTarget, type Service} from '../with-service.ts';

/** Returns the presets for a command's service and key. */
export function openTargetPresets({note, session}: Context, target: Target): Presets {
	return openPresets(presetAccountOf(target), {note, configFolder: session?.configFolder, arePathsShown: session === undefined});
}

const leftOutReasons = {'shared-name': 'several have this name', 'unknown-state': 'the service does not show whether it is on'} as const;

/** Saves the present states under a name; a preset of that name is replaced, and kept under another name. */
export async function savePreset(context: Context, words: readonly string[]): Promise<void> {
	const name = cleanPresetName(words.join(' '));
	refusePresetName(name);
	refuseReadOnlyKey(context);
	const target = await chooseTarget(context);
	const presets = openTargetPresets(context, target);
	const installed = await withTarget(context, target, async service => readList(context, service, 'installed'));
	const {preset, leftOut} = takePreset(name, installed);
	for (const each of leftOut) {
		context.note(`${each.name} is left out: ${leftOutReasons[each.reason]} (${each.ids.join(', ')}).`);
	}

	const previousName = previousNameOf(name);
	const replaced = context.isDryRun ? await presets.find(name) : await presets.save(preset, {isReplacing: true, previousName});

	const {on, off} = preset;
	const verb = context.isDryRun ? 'Would save' : replaced === undefined ? 'Saved' : 'Replaced';
	await printResult(context, {
		json: {name, on, off},
		sentence: `${verb} the preset ${name}: ${formatCount(on.length)} on, ${formatCount(off.length)} off.`,
		fields: [name, on.join(','), off.join(',')],
	});
	if (!context.isDryRun && replaced !== undefined && !isDeepStrictEqual([replaced.on, replaced.off], [on, off])) {
		context.note(`The earlier one is kept as ${previousName}. To go back to it: ${applyCommand(context, previousName)}`);
	}
}

/**
Refuses a restricted key over SSH, where presets belong to all who use the profile. Locally presets are files of this machine, which
`--read-only` does not protect.
*/
function refuseReadOnlyKey(context: Context): void {
	if (context.session?.isReadOnly) {
		refuseReadOnly(context);
	}
}

/**
Returns the name under which a replaced preset is kept. A name that is too long loses its end; the name of a kept preset does not get
longer.
*/
function previousNameOf(name: string): string {
	const prefix = 'previous-';
	const isKeptTwice = name.toLowerCase().startsWith(prefix + prefix);
	const full = isKeptTwice ? name.slice(prefix.length) : prefix + name;
	return cleanPresetName([...full].slice(0, maximumNameLength).join(''));
}

/** The command that applies a preset on the same service. */
const applyCommand = (context: Context, name: string): string =>
	['switchboard presets apply', shellWord(name), ...targetWords(context)].join(' ');

/** Shows the switches that a preset would make. */
export async function diffPreset(context: Context, words: readonly string[], options: ExitCodeOption): Promise<void> {
	const target = await chooseTarget(context);
	const preset = await findStoredPreset(openTargetPresets(context, target), words);
	const plan = await withTarget(context, target, async service => planPreset(context, service, preset));
	exitWithDifference(context, options, sendableSteps(plan));
	await printPlan(context, plan);
}

/**
@param words - its name; a shell, or SSH, may have removed its quotation marks.
@throws SwitchboardError `not-found`
*/
async function findStoredPreset(presets: Presets, words: readonly string[]): Promise<Preset> {
	const name = words.join(' ');
	const all = await presets.list();
	const preset = findPreset(all, name);
	if (preset === undefined) {
		throw new SwitchboardError('not-found', `There is no preset “${name}”. Nothing was done.`, {
			nextStep:
				didYouMean(
					nearestNames(
						name,
						all.map(each => each.name),
					),
				) ?? 'List them with: switchboard presets',
		});
	}

	return preset;
}

type PresetSwitches = Plan & {
	/** Abilities that are as the preset says already. */
	readonly staying: readonly Step[];
};

/** Compares a preset with the present states. Sends no write. */
async function planPreset(context: Context, service: Service, preset: Preset, timer?: GivenTimer): Promise<PresetSwitches> {
	const installed = await readList(context, service, 'installed');
	const {targets, missing, shared} = createPresetPlanner(installed)(preset);
	const records = new Map(installed.map(record => [record.id, record]));
	await refuseUnkept(service, timer);
	const all = targets.map(({id, isEnabled}) => switchStep(records.get(id)!, isEnabled, timer));
	const [staying, steps] = [true, false].map(isStaying => all.filter(({isDone = false}) => isDone === isStaying));
	const on = new Set(preset.on);
	const failedStep = (name: string, problem: SwitchboardError): Step =>
		setStep('installed', undefined, {enabled: on.has(name)}, {name, problem});
	return {
		steps: [
			...steps!,
			...missing.map(name =>
				failedStep(
					name,
					new SwitchboardError('not-found', `${name} is not installed.`, {nextStep: 'Install it, or save the preset again.'}),
				),
			),
			...shared.map(({name, ids}) =>
				failedStep(
					name,
					new SwitchboardError('ambiguous', `Several installed abilities are named ${name}: ${ids.join(', ')}.`, {
						nextStep: 'Switch it by its id.',
					}),
				),
			),
		],
		unchangedCount: staying!.length,
		staying: staying!,
	};
}

/** Deletes a preset; nothing is switched. */
export async function deletePreset(context: Context, words: readonly string[]): Promise<void> {
	refuseReadOnlyKey(context);
	const presets = openTargetPresets(context, await chooseTarget(context));
	const {name, on, off} = await findStoredPreset(presets, words);
	const question = `Delete the preset ${name} (${formatCount(on.length)} on, ${formatCount(off.length)} off)? This cannot be undone.`;
	await confirmOnTerminal(context, question, 'Nothing was deleted.', async () => context.printJson({name, deleted: false}));
	if (!context.isDryRun) {
		await presets.remove(name);
	}

	await printResult(context, {
		json: {name, deleted: true},
		sentence: `${context.isDryRun ? 'Would delete' : 'Deleted'} the preset ${name}.`,
		fields: [name, 'deleted'],
	});
}

/** Switches the abilities of a preset, after a question, and says how to go back. */
export async function applyPreset(context: Context, words: readonly string[], options: TimerOptions): Promise<void> {
	const timer = readTimer(context, options);
	const target = await chooseTarget(context);
	const preset = await findStoredPreset(openTargetPresets(context, target), words);
	const outcomes = await withTarget(context, target, async service =>
		runPlan(context, service, {
			makePlan: async () => planPreset(context, service, preset, timer),
			explain({staying}) {
				if (timer !== undefined) {
					noteStaying(context, staying, timer);
				}

				return {};
			},
			async begin(plan) {
				const canGoBack = hasWayBack(context, service, plan);
				const end = await keepTimers(context, service, timer);
				return async switched => {
					if (canGoBack && switched.some(outcome => mayBeSwitched(outcome))) {
						context.note(`To go back: ${['switchboard undo', ...targetWords(context)].join(' ')}`);
					}

					await end?.(switched);
				};
			},
		}),
	);
	throwFailedChanges(outcomes);
}

/**
Tells whether `undo` can take back the switches of a preset.

@throws SwitchboardError if they cannot be noted, unless `--yes` was given: scripts go on without a way back.
*/
function hasWayBack({note, isSure}: Context, {checkLog}: Service, {steps}: PresetSwitches): boolean {
	const switched = setsOf(steps, 'installed').flatMap(({record = []}) => record);
	const unknown = switched.filter(({isEnabled}) => isEnabled === undefined);
	for (const {name} of unknown) {
		note(`${name} cannot be switched back: the service does not show whether it is on.`);
	}

	try {
		checkLog();
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!isSure) {
			throw new SwitchboardError(error.kind, `${error.message} Nothing was switched.`, {
				nextStep: 'Use --yes to apply the preset although it cannot be undone.',
				cause: error,
			});
		}

		note(`${error.message} This cannot be undone.`);
		return false;
	}

	return unknown.length < switched.length;
}

/** A switch that was sent may still arrive. */
const mayBeSwitched = (outcome: StepOutcome): boolean => 'result' in outcome || outcome.error.isOutcomeUnknown;
