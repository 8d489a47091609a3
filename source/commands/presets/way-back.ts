import {errorText, SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {rawName, type DecodedRecord} from '../../interface/records.ts';
import type {Presets} from '../../settings/presets.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import {maximumNameLength} from '../../state/preset.ts';
import {takePreset} from '../../state/take-preset.ts';
import type {Context} from '../context.ts';
import type {PresetSwitches} from './plan-preset.ts';

const prefix = 'before-';

/**
The name of the preset that holds the state before another one was applied. Going back and forth takes two such names in turn, not
a longer one each time. A name that is too long loses its end.
*/
const nameBefore = (name: string): string => {
	const isBeforeTwice = name.toLowerCase().startsWith(prefix + prefix);
	const full = isBeforeTwice ? name.slice(prefix.length) : prefix + name;
	return [...full].slice(0, maximumNameLength).join('');
};

/**
Saves what is on and off before a preset is applied, as a preset that replaces one of its name.

@param isSure - true if `--yes` was given: scripts go on without a way back.
@returns the name of the saved preset; `undefined` if no preset could bring anything back.
@throws SwitchboardError if it cannot be saved and `isSure` is false.
*/
export const saveWayBack = async (
	{note}: Context,
	presets: Presets,
	{name, plan: {steps, lists}, isSure}: {readonly name: string; readonly plan: PresetSwitches; readonly isSure: boolean},
): Promise<string | undefined> => {
	const backName = nameBefore(name);
	const unknown = steps.map(({record}) => record!).filter(({isEnabled}) => isEnabled === undefined);
	for (const each of unknown) {
		note(`${each.name} is left out of ${backName}: the service does not show whether it is on.`);
	}

	if (unknown.length === steps.length) {
		return undefined;
	}

	try {
		await presets.save(takePreset(backName, lists.installed.records).preset, {isReplacing: true});
		return backName;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		const sentence = `The present state could not be saved as ${backName}.`;
		if (!isSure) {
			throw new SwitchboardError(error.kind, `${sentence} Nothing was switched. ${errorText(error)}`, {nextStep: 'Use --yes to apply the preset without a way back.', cause: error});
		}

		note(`${sentence} There is no way back by a preset. ${errorText(error)}`);
		return undefined;
	}
};

/** The name, unless a command would take it for an id, an option or standard input. */
export const wordFor = (record: DecodedRecord): string => /^-|^\d/.test(rawName(record)) ? String(record.id) : shellWord(record.name);

/** The options that lead to the same service. Over SSH there is only one. */
export const targetWords = ({options: {profile, baseUrl}, session}: Context): readonly string[] => [
	...(profile === undefined || session !== undefined ? [] : ['--profile', shellWord(profile)]),
	...(baseUrl === undefined ? [] : ['--base-url', shellWord(baseUrl)]),
];

/** The command that applies a preset on the same service. */
export const applyCommand = (context: Context, name: string): string => ['switchboard presets apply', shellWord(name), ...targetWords(context)].join(' ');
