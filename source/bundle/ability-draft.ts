import {type PackageEntry} from '../interface/ability-package/check-files.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import {type AbilityConfig} from './read-config.ts';
import {type AbilitySource} from './read-source.ts';

/** What the user gives for an ability; the rest comes from its `config.json`, or from its folder's name. */
export type AbilityOverrides = {
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	readonly category?: string | undefined;
	readonly triggerPhrases?: readonly string[] | undefined;
	readonly imagePath?: string | undefined;
};

/** An ability as it would be uploaded. */
export type AbilityDraft = {
	readonly name: string;
	readonly description: string;
	readonly category: string;
	readonly triggerPhrases: readonly string[];
	/** Paths relative to the ability's own folder. */
	readonly files: readonly PackageEntry[];
	/** The size of all files together. */
	readonly sizeBytes: number;
	/** What stays out of the package; a folder ends with `/` and stands for everything in it. */
	readonly leftOut: readonly string[];
};

/** What the user gives takes precedence over `config.json`, and that over the defaults. */
export const draftAbility = (source: AbilitySource, config: AbilityConfig, overrides: AbilityOverrides): AbilityDraft => ({
	name: overrides.name ?? config.name ?? source.baseName,
	description: overrides.description ?? '',
	category: overrides.category ?? 'skill',
	triggerPhrases: tidyTriggerPhrases(overrides.triggerPhrases ?? config.triggerPhrases ?? []),
	files: source.files.map(({path, bytes}) => ({path, size: bytes.byteLength})),
	sizeBytes: source.files.reduce((total, {bytes}) => total + bytes.byteLength, 0),
	leftOut: source.leftOut,
});
