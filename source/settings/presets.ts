import {foldName} from '../interface/fold-name.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {normalizeText} from '../interface/normalize-text.ts';
import {findPreset, presetNameProblem, type Preset} from '../state/preset.ts';
import {openPresetsFile, type PresetsFileOptions} from './presets-file.ts';
import {type StoredPreset} from './stored-presets.ts';

/** The presets of one account. Every function throws a SwitchboardError if the file cannot be read, or written. */
export type Presets = {
	/** By name. */
	readonly list: () => Promise<readonly Preset[]>;
	/** As they are, for completion: in no order, and a damaged file stays in place. */
	readonly peek: () => readonly Preset[];
	/** The name is found in any case. */
	readonly find: (name: string) => Promise<Preset | undefined>;
	/**
	Stores a preset.
	@throws SwitchboardError `usage` if its name is not valid, `conflict` if there is one of that name and it is not to be replaced.
	*/
	readonly save: (preset: Preset, options: {readonly isReplacing: boolean}) => Promise<void>;
	/** @returns false if there is none of that name. */
	readonly remove: (name: string) => Promise<boolean>;
	/** Removes all presets of the account. */
	readonly removeAll: () => Promise<void>;
	/** Gives the presets to the account under another name; one of the same name that is there already is replaced. */
	readonly moveTo: (account: string) => Promise<void>;
};

/** @throws SwitchboardError `usage` if the name is not valid for a preset. */
export const refusePresetName = (name: string): void => {
	const problem = presetNameProblem(name);
	if (problem !== undefined) {
		throw new SwitchboardError('usage', `The name of a preset ${problem}.`, {nextStep: 'Choose another name.', field: 'name'});
	}
};

const toPreset = ({name, on, off}: StoredPreset): Preset => ({name, on, off});

const without = (presets: readonly StoredPreset[], removed: readonly StoredPreset[]): readonly StoredPreset[] =>
	removed.length === 0 ? presets : presets.filter(preset => !removed.includes(preset));

/**
The presets of an account, in a file beside the settings (0600), which may be changed by several processes at once.

@param account - by `presetAccountOf`.
*/
export const openPresets = (account: string, options: PresetsFileOptions): Presets => {
	const file = openPresetsFile(options);

	const own = (presets: readonly StoredPreset[]): readonly StoredPreset[] => presets.filter(preset => preset.account === account);

	const named = (presets: readonly StoredPreset[], name: string): readonly StoredPreset[] =>
		own(presets).filter(preset => foldName(preset.name) === foldName(name));

	/** A file that holds none is neither locked nor created. */
	const changeOwn = async (change: (presets: readonly StoredPreset[]) => readonly StoredPreset[]): Promise<void> => {
		if (own(await file.read()).length > 0) {
			await file.change(change);
		}
	};

	return {
		async list() {
			const {compare} = new Intl.Collator(undefined, {numeric: true});
			return own(await file.read()).map(preset => toPreset(preset)).toSorted((a, b) => compare(a.name, b.name));
		},
		peek: () => own(file.peek()).map(preset => toPreset(preset)),
		async find(name) {
			return findPreset(own(await file.read()).map(preset => toPreset(preset)), name);
		},
		async save({name, on, off}, {isReplacing}) {
			refusePresetName(name);
			await file.change(presets => {
				const before = named(presets, name);
				if (before[0] !== undefined && !isReplacing) {
					throw new SwitchboardError('conflict', `There is a preset “${before[0].name}” already.`, {nextStep: 'Choose another name.', field: 'name'});
				}

				return [...without(presets, before), {
					account, name: normalizeText(name), on: on.toSorted(), off: off.toSorted(),
				}];
			});
		},
		async remove(name) {
			let isRemoved = false;
			await changeOwn(presets => {
				const removed = named(presets, name);
				isRemoved = removed.length > 0;
				return without(presets, removed);
			});
			return isRemoved;
		},
		async removeAll() {
			await changeOwn(presets => without(presets, own(presets)));
		},
		async moveTo(newAccount) {
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
};
