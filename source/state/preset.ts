import {cleanText} from '../interface/clean-text.ts';
import {foldName} from '../interface/fold-name.ts';
import {normalizeText} from '../interface/normalize-text.ts';

/** Which installed abilities are on and which are off, under a name of the person's own. What it does not name is left alone. */
export type Preset = {
	readonly name: string;
	/** Names of installed abilities, as the service shows them, sorted; none is in both lists. */
	readonly on: readonly string[];
	readonly off: readonly string[];
};

/** Characters, not UTF-16 units. */
export const maximumNameLength = 64;

const nameForm = /^[\p{Letter}\p{Number}_][\p{Letter}\p{Mark}\p{Number}\-_]{0,63}$/u;

/** What is wrong with the name of a preset, as a clause that follows it; `undefined` if nothing is. */
export const presetNameProblem = (name: string): string | undefined =>
	// Some letters are invisible.
	nameForm.test(name) && cleanText(name) === normalizeText(name) ? undefined : 'must be 1 to 64 letters, digits, “_” and “-”, with no “-” first';

/** The preset with a name, which is found in any case. */
export const findPreset = (presets: readonly Preset[], name: string): Preset | undefined => {
	const wanted = foldName(name);
	return presets.find(preset => foldName(preset.name) === wanted);
};
