import {formatCount} from '../../interface/format-count.ts';
import {refusePresetName} from '../../settings/presets.ts';
import type {Preset} from '../../state/preset.ts';
import {takePreset} from '../../state/take-preset.ts';
import {isForPerson, type Context} from '../context.ts';
import {noteDryRun, startLocalChange, type DryRunOption} from '../dry-run.ts';
import {readList} from '../read-list.ts';
import {chooseTarget, withTarget} from '../with-service.ts';
import {openTargetPresets} from './stored-presets.ts';

const leftOutReasons = {
	'shared-name': 'several have this name',
	'unknown-state': 'the service does not show whether it is on',
} as const;

const report = async (context: Context, {name, on, off}: Preset, isReplaced: boolean): Promise<void> => {
	const {options, print, printJson, isDryRun} = context;
	if (options.isJson) {
		await printJson({name, on, off});
	} else if (isForPerson(context)) {
		print(`${isDryRun ? 'Would save' : (isReplaced ? 'Replaced' : 'Saved')} the preset ${name}: ${formatCount(on.length)} on, ${formatCount(off.length)} off.`);
	} else {
		print([name, on.join(','), off.join(',')].join('\t'));
	}

	noteDryRun(context);
};

/** Saves what is on and off now under a name; a preset of that name is replaced. */
export const savePreset = async (given: Context, name: string, options: DryRunOption): Promise<void> => {
	const context = startLocalChange(given, options);
	refusePresetName(name);
	const target = await chooseTarget(context);
	const presets = openTargetPresets(context, target);
	const installed = await withTarget(context, target, async service => readList(context, service, 'installed'));
	const {preset, leftOut} = takePreset(name, installed);
	for (const each of leftOut) {
		context.note(`${each.name} is left out: ${leftOutReasons[each.reason]} (${each.ids.join(', ')}).`);
	}

	const isReplaced = await presets.find(name) !== undefined;
	if (!context.isDryRun) {
		await presets.save(preset, {isReplacing: true});
	}

	await report(context, preset, isReplaced);
};
