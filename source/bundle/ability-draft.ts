import {type PackageEntry} from '../interface/ability-package/check-files.ts';
import {type AbilityConfig} from './read-config.ts';
import {type AbilitySource} from './read-source.ts';

/** What the person says about an ability; what is missing comes from its `config.json`, or from its folder's name. */
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
	/** What stays out of the package; a folder ends with `/` and stands for all that is in it. */
	readonly leftOut: readonly string[];
};

const tidyPhrases = (phrases: readonly string[]): readonly string[] =>
	[...new Set(phrases.map(phrase => phrase.trim()).filter(phrase => phrase !== ''))];

/** What the person says, before what `config.json` says, before what goes without saying. */
export const draftAbility = (source: AbilitySource, config: AbilityConfig, overrides: AbilityOverrides): AbilityDraft => ({
	name: overrides.name ?? config.name ?? source.baseName,
	description: overrides.description ?? '',
	category: overrides.category ?? 'skill',
	triggerPhrases: tidyPhrases(overrides.triggerPhrases ?? config.triggerPhrases ?? []),
	files: source.files.map(({path, bytes}) => ({path, size: bytes.byteLength})),
	leftOut: source.leftOut,
});
