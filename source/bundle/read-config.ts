import {type PackageFile} from '../interface/ability-package/write-zip.ts';
import {refusal} from '../interface/ability-package/refusals.ts';
import {type SwitchboardError} from '../interface/errors.ts';
import {isJsonObject} from '../interface/json.ts';

/** What an ability's `config.json` says; all of it only a default (`LIVE-SERVICE.md`, Upload). */
export type AbilityConfig = {
	readonly name: string | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
	/** Why the file could not be understood. */
	readonly problem: SwitchboardError | undefined;
};

const nothing: AbilityConfig = {name: undefined, triggerPhrases: undefined, problem: undefined};

const decode = (bytes: Uint8Array): unknown => {
	try {
		// The decoder drops the mark that some editors put first; `JSON.parse` would stumble over it.
		return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
	} catch {
		return undefined;
	}
};

const phrases = (value: unknown): readonly string[] | undefined => Array.isArray(value)
	? value.filter(phrase => typeof phrase === 'string')
	: (typeof value === 'string' ? value.split(',') : undefined);

/** Reads `config.json` from the files of an ability, relative to its folder; it may be missing. */
export const readConfig = (files: readonly PackageFile[]): AbilityConfig => {
	const file = files.find(({path}) => path === 'config.json');
	if (file === undefined) {
		return nothing;
	}

	const config = decode(file.bytes);
	if (!isJsonObject(config)) {
		return {...nothing, problem: refusal('“config.json” is no JSON object.', 'Mend it, or give the name and the trigger phrases yourself.')};
	}

	const {unique_name: name, matching_hotwords: hotwords} = config;
	return {name: typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined, triggerPhrases: phrases(hotwords), problem: undefined};
};
