import {type PackageFile} from '../interface/ability-package/write-zip.ts';
import {refusal} from '../interface/ability-package/refusals.ts';
import {type SwitchboardError} from '../interface/errors.ts';
import {isJsonObject} from '../interface/json.ts';

/** The defaults in an ability's `config.json` (`LIVE-SERVICE.md`, Upload). */
export type AbilityConfig = {
	readonly name: string | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
	/** Why the file cannot be used. */
	readonly problem: SwitchboardError | undefined;
};

const nothing: AbilityConfig = {name: undefined, triggerPhrases: undefined, problem: undefined};

const decode = (bytes: Uint8Array): unknown => {
	try {
		// The decoder drops a byte order mark, which some editors write and `JSON.parse` rejects.
		return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
	} catch {
		return undefined;
	}
};

const phrases = (value: unknown): readonly string[] | undefined => Array.isArray(value)
	? value.filter(phrase => typeof phrase === 'string')
	: (typeof value === 'string' ? value.split(',') : undefined);

/** Reads `config.json`, which may be missing, from the files of an ability. */
export const readConfig = (files: readonly PackageFile[]): AbilityConfig => {
	const file = files.find(({path}) => path === 'config.json');
	if (file === undefined) {
		return nothing;
	}

	const config = decode(file.bytes);
	if (!isJsonObject(config)) {
		return {...nothing, problem: refusal('“config.json” is not a JSON object.', 'Fix it, or give the name and the trigger phrases yourself.')};
	}

	const {unique_name: name, matching_hotwords: hotwords} = config;
	return {name: typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined, triggerPhrases: phrases(hotwords), problem: undefined};
};
