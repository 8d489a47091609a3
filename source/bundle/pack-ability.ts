import {type Buffer} from 'node:buffer';
import {abilityLimits, formatBytes, formatOversize} from '../interface/ability-package/limits.ts';
import {oversize} from '../interface/ability-package/refusals.ts';
import {type PackageFile, writeZip} from '../interface/ability-package/write-zip.ts';
import {type AbilityDraft, type AbilityOverrides} from './ability-draft.ts';
import {readDraft} from './read-draft.ts';
import {type AbilityImage} from './read-image.ts';

/** An ability that is ready for upload. */
export type PackedAbility = AbilityDraft & {
	/** One top-level folder with the name of the ability, and its files. */
	readonly zip: Buffer;
	/** The files with their bytes, their paths relative to the ability's own folder. */
	readonly contents: readonly PackageFile[];
	/** The size of the zip. */
	readonly sizeBytes: number;
	readonly image: AbilityImage | undefined;
};

/**
Makes a checked zip of an ability: the same bytes for the same files on any machine and at any time, whether they came
from a folder or from a zip.

@param path - the ability's folder, or a zip of it.
@throws SwitchboardError `refused`, `too-large` or `conflict` (it changed in the meantime), naming the field of the upload.
*/
export const packAbility = async (path: string, overrides: AbilityOverrides = {}): Promise<PackedAbility> => {
	const {draft: checked, source, image} = await readDraft(path, overrides);
	const {problems, ...draft} = checked;
	const [problem] = problems;
	if (problem !== undefined) {
		throw problem;
	}

	// The folder has the ability's name, so that a checkout in another folder produces the same bytes.
	const zip = await writeZip(source.files.map(({path: inner, bytes}) => ({path: `${draft.name}/${inner}`, bytes})));
	if (zip.length > abilityLimits.zipBytes) {
		throw oversize(`The zip would be ${formatOversize(zip.length, abilityLimits.zipBytes)}; it may be at most ${formatBytes(abilityLimits.zipBytes)}.`);
	}

	return {
		...draft, zip, contents: source.files, sizeBytes: zip.length, image,
	};
};
