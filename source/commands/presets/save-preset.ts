import process from 'node:process';
import {SwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {presetNameProblem, type Preset} from '../../state/preset.ts';
import {takePreset} from '../../state/take-preset.ts';
import type {Context} from '../context.ts';
import {readList} from '../read-list.ts';
import {chooseTarget, withTarget} from '../with-service.ts';
import {openTargetPresets} from './stored-presets.ts';

const refuseName = (name: string): void => {
	const problem = presetNameProblem(name);
	if (problem !== undefined) {
		throw new SwitchboardError('usage', `The name of a preset ${problem}.`, {nextStep: 'Choose another name.', field: 'name'});
	}
};

const leftOutReasons = {
	'shared-name': 'several have this name',
	'unknown-state': 'the service does not show whether it is on',
} as const;

const report = async ({options, print, printJson}: Context, {name, on, off}: Preset, isReplaced: boolean): Promise<void> => {
	if (options.isJson) {
		await printJson({name, on, off});
	} else if (process.stdout.isTTY) {
		print(`${isReplaced ? 'Replaced' : 'Saved'} the preset ${name}: ${formatCount(on.length)} on, ${formatCount(off.length)} off.`);
	} else {
		print([name, on.join(','), off.join(',')].join('\t'));
	}
};

/** Saves what is on and off now under a name; a preset of that name is replaced. */
export const savePreset = async (context: Context, name: string): Promise<void> => {
	refuseName(name);
	const target = await chooseTarget(context);
	const presets = openTargetPresets(context, target);
	const installed = await withTarget(context, target, async service => readList(context, service, 'installed'));
	const {preset, leftOut} = takePreset(name, installed);
	for (const each of leftOut) {
		context.note(`${each.name} is left out: ${leftOutReasons[each.reason]} (${each.ids.join(', ')}).`);
	}

	const isReplaced = await presets.find(name) !== undefined;
	await presets.save(preset, {isReplacing: true});
	await report(context, preset, isReplaced);
};
