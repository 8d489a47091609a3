import {SwitchboardError} from '../../interface/errors.ts';
import {didYouMean, nearestNames} from '../../interface/nearest-word.ts';
import {presetAccountOf} from '../../settings/preset-account.ts';
import {openPresets, type Presets} from '../../settings/presets.ts';
import type {Target} from '../../settings/target.ts';
import {findPreset, type Preset} from '../../state/preset.ts';
import type {Context} from '../context.ts';
import {chooseTarget} from '../with-service.ts';

/** The presets for the service and the key that a command uses. */
export const openTargetPresets = ({note}: Context, target: Target): Presets => openPresets(presetAccountOf(target), {note});

export const openChosenPresets = async (context: Context): Promise<Presets> => openTargetPresets(context, await chooseTarget(context));

/** @throws SwitchboardError `not-found` */
export const findStoredPreset = async (presets: Presets, name: string): Promise<Preset> => {
	const all = await presets.list();
	const preset = findPreset(all, name);
	if (preset === undefined) {
		throw new SwitchboardError('not-found', `There is no preset “${name}”. Nothing was done.`, {
			nextStep: didYouMean(nearestNames(name, all.map(each => each.name))) ?? 'List them with: switchboard presets',
		});
	}

	return preset;
};
