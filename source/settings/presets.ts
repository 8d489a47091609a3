import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {cleanText, normalizeText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {foldName} from '../interface/name-index.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {userFolders} from '../platform/user-folders.ts';
import {keptFile, type Decoded} from '../platform/kept-file.ts';

/** Some 50 presets of 10,000 abilities. */
const maximumBytes = 16 * 1024 * 1024;

/** A profile may be used by several people, who share the room in the file with everybody else. */
const maximumPresets = 200;

/** @throws SwitchboardError `usage` if the name is not valid for a preset. */
export function refusePresetName(name: string): void {
	const problem = presetNameProblem(cleanPresetName(name));
	if (problem !== undefined) {
		throw new SwitchboardError('usage', `The name of a preset ${problem}.`, {nextStep: 'Choose another name.', field: 'name'});
	}
}

type PresetsOptions = {
	/** The settings; by default where `conf` puts them. */
	readonly configFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
	/** Called with a sentence when the file was set aside. */
	readonly note: (notice: string) => void;
};

type StoredPreset = Preset & {readonly account: string};

type StoredPresets = readonly StoredPreset[];

type SaveOptions = {readonly isReplacing: boolean; readonly previousName?: string | undefined; readonly expected?: Preset | undefined};

/**
Returns the presets of an account. Every function throws a SwitchboardError if the file cannot be read, or written.

@param account - by `presetAccountOf`.
*/
export function openPresets(account: string, options: PresetsOptions) {
	const file = openPresetsFile(options);

	const own = (presets: StoredPresets): StoredPresets => presets.filter(preset => preset.account === account);

	const named = (presets: StoredPresets, name: string): StoredPresets => {
		const wanted = foldName(cleanPresetName(name));
		return own(presets).filter(preset => foldName(preset.name) === wanted);
	};

	/** A file without presets is neither locked nor created. */
	const changeOwn = async (change: (presets: StoredPresets) => StoredPresets): Promise<void> => {
		if (own(await file.read()).length > 0) {
			await file.change(change);
		}
	};

	return {
		/** By name. */
		async list(): Promise<readonly Preset[]> {
			const {compare} = new Intl.Collator(undefined, {numeric: true});
			return own(await file.read())
				.map(preset => toPreset(preset))
				.toSorted((a, b) => compare(a.name, b.name));
		},
		/** For completion: in no order, and a damaged file stays in place. */
		peek: (): readonly Preset[] => own(file.peek()).map(preset => toPreset(preset)),
		/** The name is found in any case. */
		find: async (name: string): Promise<Preset | undefined> =>
			findPreset(
				own(await file.read()).map(preset => toPreset(preset)),
				name,
			),
		/**
		Saves a preset under its name, cleaned.

		@param previousName - where the preset that is replaced is kept, if it holds anything else.
		@param expected - the preset that is to be replaced: nobody may have changed or deleted it since.
		@returns the preset that was replaced, if any.
		@throws SwitchboardError `usage` if the name is not valid, `conflict` if it is taken and not to be replaced, or is not the expected one.
		*/
		async save({name, on, off}: Preset, {isReplacing, previousName, expected}: SaveOptions): Promise<Preset | undefined> {
			refusePresetName(name);
			const saved = {account, name: cleanPresetName(name), on: on.toSorted(), off: off.toSorted()};
			let replaced: StoredPreset | undefined;
			await file.change(presets => {
				const before = named(presets, name);
				[replaced] = before;
				if (replaced !== undefined && !isReplacing) {
					throw new SwitchboardError('conflict', `There is a preset “${replaced.name}” already.`, {
						nextStep: 'Choose another name.',
						field: 'name',
					});
				}

				if (expected !== undefined && (replaced === undefined || !holdsSame(replaced, expected))) {
					throw new SwitchboardError('conflict', `The preset “${saved.name}” was ${replaced === undefined ? 'deleted' : 'changed'} since.`);
				}

				if (replaced === undefined && own(presets).length >= maximumPresets) {
					throw new SwitchboardError('too-large', `There are ${maximumPresets} presets already.`, {
						nextStep: 'Delete one that is no longer needed.',
					});
				}

				const kept =
					previousName === undefined || replaced === undefined || holdsSame(replaced, saved) ? [] : [{...replaced, name: previousName}];
				return [...without(presets, [...before, ...kept.flatMap(each => named(presets, each.name))]), ...kept, saved];
			});
			return replaced && toPreset(replaced);
		},
		/** @returns false if there is none of that name. */
		async remove(name: string): Promise<boolean> {
			let isRemoved = false;
			await changeOwn(presets => {
				const removed = named(presets, name);
				isRemoved = removed.length > 0;
				return without(presets, removed);
			});
			return isRemoved;
		},
		removeAll: async (): Promise<void> => changeOwn(presets => without(presets, own(presets))),
		/** Moves the presets to the account's new name; a preset of the same name there is replaced. */
		async moveTo(newAccount: string): Promise<void> {
			await changeOwn(presets => {
				const moved = own(presets);
				const isReplaced = (preset: StoredPreset): boolean => preset.account === newAccount && findPreset(moved, preset.name) !== undefined;
				return [
					...without(presets, moved).filter(preset => !isReplaced(preset)),
					...moved.map(preset => ({...preset, account: newAccount})),
				];
			});
		},
	};
}

/** Returns the presets of all accounts, in a separate file beside the settings. */
const openPresetsFile = ({configFolder = userFolders().config, ...options}: PresetsOptions) =>
	keptFile<StoredPresets>({
		...options,
		name: 'presets',
		file: path.join(configFolder, 'presets.json'),
		version: 1,
		maximumBytes,
		empty: [],
		decode: ({presets}) => (Array.isArray(presets) ? decodePresets(presets) : undefined),
		encode: presets => ({presets}),
	});

function decodePresets(entries: readonly JsonValue[]): Decoded<StoredPresets> | undefined {
	const presets = entries.map(entry => readPreset(entry)).filter(preset => preset !== undefined);
	// The last of one name counts.
	const byName = new Map(presets.map(preset => [`${preset.account} ${foldName(preset.name)}`, preset]));
	const brokenCount = entries.length - byName.size;
	return entries.length > 0 && byName.size === 0
		? undefined
		: {content: [...byName.values()], damage: brokenCount === 0 ? undefined : `${brokenCount} of ${entries.length}`};
}

function readPreset(value: unknown): StoredPreset | undefined {
	if (
		!isJsonObject(value) ||
		typeof value['account'] !== 'string' ||
		typeof value['name'] !== 'string' ||
		presetNameProblem(value['name']) !== undefined
	) {
		return undefined;
	}

	const {account, name} = value;
	const [on, off] = [readNames(value['on']), readNames(value['off'])];
	if (on === undefined || off === undefined) {
		return undefined;
	}

	// A name that is listed twice would be switched twice.
	const areNamesDifferent = new Set([...on, ...off]).size === on.length + off.length;
	return areNamesDifferent ? {account, name, on, off} : undefined;
}

const readNames = (value: JsonValue | undefined): readonly string[] | undefined =>
	Array.isArray(value) && value.every(name => typeof name === 'string' && name !== '') ? (value as readonly string[]) : undefined;

const toPreset = ({name, on, off}: StoredPreset): Preset => ({name, on, off});

const holdsSame = (first: Preset, second: Preset): boolean => isDeepStrictEqual([first.on, first.off], [second.on, second.off]);

const without = (presets: StoredPresets, removed: StoredPresets): StoredPresets =>
	removed.length === 0 ? presets : presets.filter(preset => !removed.includes(preset));

export type Presets = ReturnType<typeof openPresets>;

/** Moves presets to where they are kept now. A preset whose name is taken there stays. */
export async function movePresets(from: Presets, to: Presets): Promise<void> {
	const taken = await to.list();
	for (const preset of await from.list()) {
		if (findPreset(taken, preset.name) !== undefined) {
			continue;
		}

		await to.save(preset, {isReplacing: false});
		await from.remove(preset.name);
	}
}

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
function presetNameProblem(name: string): string | undefined {
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
