import {foldName} from '../interface/fold-name.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {presetNameProblem, type Preset} from '../state/preset.ts';

const version = 1;

/** A preset with the account that it belongs to. */
export type StoredPreset = Preset & {readonly account: string};

/** What a presets file holds. */
export type CheckedPresets = {
	readonly presets: readonly StoredPreset[];
	/** True if the file, or some of what is in it, is no preset. */
	readonly isBroken: boolean;
};

const readNames = (value: JsonValue | undefined): readonly string[] | undefined =>
	Array.isArray(value) && value.every(name => typeof name === 'string' && name !== '') ? value as readonly string[] : undefined;

const readPreset = (value: unknown): StoredPreset | undefined => {
	if (!isJsonObject(value) || typeof value['account'] !== 'string' || typeof value['name'] !== 'string' || presetNameProblem(value['name']) !== undefined) {
		return undefined;
	}

	const {account, name} = value;
	const [on, off] = [readNames(value['on']), readNames(value['off'])];
	if (on === undefined || off === undefined) {
		return undefined;
	}

	// A name that stands in it twice would be switched twice.
	const areNamesDifferent = new Set([...on, ...off].map(each => foldName(each))).size === on.length + off.length;
	const preset = {
		account, name, on, off,
	};
	return areNamesDifferent ? preset : undefined;
};

/** What can be used of the text of a presets file. */
export const checkPresets = (text: string): CheckedPresets => {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {}

	if (!isJsonObject(value) || value['version'] !== version || !Array.isArray(value['presets'])) {
		return {presets: [], isBroken: true};
	}

	const entries: readonly unknown[] = value['presets'];
	const presets = entries.map(entry => readPreset(entry)).filter(preset => preset !== undefined);
	// The last of one name counts.
	const byName = new Map(presets.map(preset => [`${preset.account} ${foldName(preset.name)}`, preset]));
	return {presets: [...byName.values()], isBroken: byName.size < entries.length};
};

/** Presets as the text of a presets file. */
export const presetsText = (presets: readonly StoredPreset[]): string => JSON.stringify({version, presets}, undefined, '\t') + '\n';
