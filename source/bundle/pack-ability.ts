import type {Buffer} from 'node:buffer';
import {constants, open} from 'node:fs/promises';
import {basename} from 'node:path';
import {detectImageType, entriesOf, type ImageType, isDaemonOnly} from '../interface/ability-package/check-files.ts';
import {abilityLimits, formatBytes, formatOversize, oversize, quotePath, refusal} from '../interface/ability-package/limits.ts';
import {type PackageFile, writeZip} from '../interface/ability-package/write-zip.ts';
import {normalizeText, revealLine} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing, throwIfAny} from '../interface/errors.ts';
import {isJsonObject} from '../interface/json.ts';
import {isPlainAbilityName, packageName, straightenedNotes, straightenPhrases, tidyTriggerPhrases} from '../interface/names.ts';
import {cleanName} from '../interface/records.ts';
import {type AbilityDraft, checkDraft} from './check-draft.ts';
import {fileError} from './file-errors.ts';
import {type AbilitySource, readSource} from './read-source.ts';

/** The values that the user gives for an ability; the rest comes from its `config.json`, or from its folder's name. */
export type AbilityOverrides = {
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	readonly category?: string | undefined;
	readonly triggerPhrases?: readonly string[] | undefined;
	readonly imagePath?: string | undefined;
	/** For values that are given neither here nor in `config.json`. */
	readonly defaults?: Pick<AbilityOverrides, 'description' | 'category' | 'triggerPhrases'>;
};

const field = 'image_file';

/** A draft, checked by the rules of the service (`docs/interface.md`, Upload). */
export type CheckedDraft = AbilityDraft & {
	/** Everything that prevents its upload, each problem with its field, the most important first. */
	readonly problems: readonly SwitchboardError[];
};

/**
Returns the possible names of an ability that was given no name, the likeliest first: the name in `config.json`, or else the names from its
folder.

@throws SwitchboardError `refused` if `config.json` cannot be read.
*/
export function possibleNames({files, baseName}: AbilitySource): readonly string[] {
	const {name, problem} = readConfig(files);
	throwIfAny(problem);

	return name === undefined ? [...new Set([baseName, derivedName(baseName)])] : [name];
}

type Config = {readonly name?: string; readonly phrases?: readonly string[]; readonly problem?: SwitchboardError};

/** Returns the defaults in an ability's `config.json` (`docs/interface.md`, Upload), which may be missing. */
function readConfig(files: readonly PackageFile[]): Config {
	const file = files.find(({path}) => path === 'config.json');
	if (file === undefined) {
		return {};
	}

	const config = decodeJson(file.bytes);
	if (!isJsonObject(config)) {
		return {problem: refusal('“config.json” is not a JSON object.', 'Fix it, or give the name and the trigger phrases yourself.')};
	}

	const {unique_name: name, matching_hotwords: hotwords} = config;
	const phrases = typeof hotwords === 'string' ? hotwords.split(',') : hotwords;
	return {
		...(typeof name === 'string' && name.trim() !== '' && {name: name.trim()}),
		...(Array.isArray(phrases) && {phrases: phrases.filter(phrase => typeof phrase === 'string')}),
	};
}

function decodeJson(bytes: Uint8Array): unknown {
	// The decoder drops a byte order mark, which some editors write and `JSON.parse` rejects.
	return withoutFailing<unknown>(() => JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes)));
}

/** The name of an ability from its folder: letters and digits, as the vendor's clients make it. */
const derivedName = (baseName: string): string => baseName.replaceAll(/[-_]/g, '') || baseName;

/** Adds the given path to an error, unless its message contains it already. */
export function aboutPath(error: SwitchboardError, path: string): SwitchboardError {
	return error.message.includes(quotePath(path)) ? error : error.with({message: `${quotePath(path)}: ${error.message}`});
}

const emptySource: AbilitySource = {baseName: '', files: [], leftOut: []};

/**
Returns the checked draft of an ability whose files were read. The overrides take precedence over `config.json`, and that over the defaults.
*/
export function checkSource(source: AbilitySource, overrides: AbilityOverrides): CheckedDraft {
	const config = readConfig(source.files);
	const files = entriesOf(source.files);
	const given = overrides.name ?? config.name;
	const derived = derivedName(source.baseName);
	// As services store it: macOS decomposes the letters of folders' names.
	const name = normalizeText((given ?? derived).trim());
	const {defaults = {}} = overrides;
	const phrases = tidyTriggerPhrases(overrides.triggerPhrases ?? config.phrases ?? defaults.triggerPhrases ?? []);
	const draft: AbilityDraft = {
		name,
		description: overrides.description ?? defaults.description ?? '',
		category:
			overrides.category ?? defaults.category ?? (isDaemonOnly(new Set(files.map(({path}) => path))) ? 'background_daemon' : 'skill'),
		triggerPhrases: straightenPhrases(phrases),
		files,
		sizeBytes: files.reduce((total, {size}) => total + size, 0),
		leftOut: source.leftOut,
		notes: [
			...(given === undefined && derived !== source.baseName
				? [`The name is ${cleanName(name)}: ${quotePath(source.baseName)} without hyphens and underscores.`]
				: []),
			...(isPlainAbilityName(name) ? [] : [notPlainNote(name)]),
			...straightenedNotes(phrases),
		],
		path: source.path,
	};
	// A broken config.json matters only if a value is needed from it.
	const isConfigNeeded = overrides.name === undefined || overrides.triggerPhrases === undefined;
	return {...draft, problems: [...(isConfigNeeded && config.problem !== undefined ? [config.problem] : []), ...checkDraft(draft)]};
}

/** Advice on the name of a new ability. */
const notPlainNote = (name: string): string =>
	`“${revealLine(name, 120)}” is not only letters and digits, with a letter first, as OpenHome's client asks. The service decides.`;

/** Reads and checks an ability without packing it. Problems with the input are returned, not thrown. */
export async function readDraft(path: string, overrides: AbilityOverrides = {}) {
	const readable = await attempt(readSource(path));
	const isReadable = !(readable instanceof SwitchboardError);
	const source = isReadable ? readable : emptySource;
	const {draft, image} = await draftOf(source, overrides);
	// Without its files, nothing else can be checked.
	const imageProblems = draft.problems.filter(({field: name}) => name === field);
	return {draft: isReadable ? draft : {...draft, problems: [readable, ...imageProblems]}, source, image};
}

async function attempt<Result>(work: Promise<Result>): Promise<Result | SwitchboardError> {
	try {
		return await work;
	} catch (error) {
		return toSwitchboardError(error);
	}
}

/** Returns the draft of a source, with the image that is sent with it. */
async function draftOf(source: AbilitySource, overrides: AbilityOverrides) {
	const image = overrides.imagePath === undefined ? undefined : await attempt(readImage(overrides.imagePath));
	const draft = checkSource(source, overrides);
	return image instanceof SwitchboardError ? {draft: {...draft, problems: [...draft.problems, image]}, image: undefined} : {draft, image};
}

type AbilityImage = {readonly name: string; readonly type: ImageType; readonly bytes: Buffer};

/**
Reads and checks the image of an ability.

@throws SwitchboardError `refused` or `too-large`, naming the field `image_file`.
*/
async function readImage(path: string): Promise<AbilityImage> {
	const refused = (message: string): SwitchboardError =>
		new SwitchboardError('refused', message, {field, nextStep: 'Choose a PNG or JPEG file.'});
	try {
		// A pipe without a writer would hold up the opening, and the end of the program with it.
		// eslint-disable-next-line no-bitwise -- Flags are bits.
		await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stats = await handle.stat();
		if (!stats.isFile()) {
			throw refused(`${quotePath(path)} is not a file.`);
		}

		if (stats.size > abilityLimits.imageBytes) {
			const message = `The image is ${formatOversize(stats.size, abilityLimits.imageBytes)}; it may be at most ${formatBytes(abilityLimits.imageBytes)}.`;
			throw new SwitchboardError('too-large', message, {field, nextStep: 'Choose a smaller one.'});
		}

		const bytes = await handle.readFile();
		const type = detectImageType(bytes);
		if (type === undefined) {
			throw refused(`${quotePath(path)} is neither a PNG nor a JPEG.`);
		}

		return {name: basename(path), type, bytes};
	} catch (error) {
		throw fileError(error, path, field);
	}
}

export type PackedAbility = AbilityDraft & {
	/** One top-level folder, named with the letters and digits of the ability's name, and its files. */
	readonly zip: Buffer;
	/** The files with their bytes, their paths relative to the ability's own folder. */
	readonly contents: readonly PackageFile[];
	/** In bytes, of the zip. */
	readonly sizeBytes: number;
	readonly image: AbilityImage | undefined;
};

/**
Makes a checked zip of an ability: always the same bytes for the same files, on any machine, from a folder or from a zip.

@throws SwitchboardError `refused`, `too-large` or `conflict` (it changed in the meantime), naming the field of the upload.
*/
export async function packSource(source: AbilitySource, overrides: AbilityOverrides = {}): Promise<PackedAbility> {
	const {
		draft: {problems, ...draft},
		image,
	} = await draftOf(source, overrides);
	if (problems[0] !== undefined) {
		throw problems[0];
	}

	// The folder's own name would make the bytes depend on the place of the checkout.
	const folder = packageName(draft.name);
	const zip = await writeZip(source.files.map(({path: inner, bytes}) => ({path: `${folder}/${inner}`, bytes})));
	if (zip.length > abilityLimits.zipBytes) {
		throw oversize(
			`The zip would be ${formatOversize(zip.length, abilityLimits.zipBytes)}; it may be at most ${formatBytes(abilityLimits.zipBytes)}.`,
		);
	}

	return {...draft, zip, contents: source.files, sizeBytes: zip.length, image};
}

/**
Reads an ability from its folder, or from a zip of it, and packs it as `packSource` does.

@throws SwitchboardError as `readSource` and `packSource` do.
*/
export async function packAbility(path: string, overrides: AbilityOverrides = {}): Promise<PackedAbility> {
	return packSource(await readSource(path), overrides);
}
