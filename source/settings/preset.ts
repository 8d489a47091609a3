import {cleanText, normalizeText} from '../interface/clean-text.ts';
import {foldName} from '../interface/name-index.ts';

/**
The installed abilities that are on and those that are off, under a name chosen by the person. Abilities that it does not name are left as
they are.
*/
export type Preset = {
	readonly name: string;
	/** Names of installed abilities, as the service shows them, sorted; none is in both lists. */
	readonly on: readonly string[];
	readonly off: readonly string[];
};

/** Characters, not UTF-16 units. */
export const maximumNameLength = 64;

const nameForm = /^[\p{Letter}\p{Number}_](?: ?[\p{Letter}\p{Mark}\p{Number}\-_]){0,63}$/u;

/** Returns a name as it is stored: with one space between two words, and none around them. */
export function cleanPresetName(name: string): string {
	return normalizeText(name)
		.replaceAll(/[\p{Space_Separator}\t]+/gu, ' ')
		.trim();
}

/** Returns the problem of the name of a preset, as a clause that follows it; `undefined` if there is none. */
export function presetNameProblem(name: string): string | undefined {
	// Some letters are invisible.
	return nameForm.test(name) && [...name].length <= maximumNameLength && cleanText(name) === normalizeText(name)
		? undefined
		: 'must be 1 to 64 letters, digits, “_”, “-” and spaces, with no “-” first';
}

/** Returns the preset with a name, which is found in any case. */
export function findPreset(presets: readonly Preset[], name: string): Preset | undefined {
	const wanted = foldName(cleanPresetName(name));
	return presets.find(preset => foldName(preset.name) === wanted);
}
