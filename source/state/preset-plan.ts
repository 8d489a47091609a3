import {foldName} from '../interface/fold-name.ts';
import {type Change} from './change.ts';
import {type Preset} from './preset.ts';
import {type Switchable} from './take-preset.ts';

/** An installed ability that a preset names, and the state that it wants. */
export type PresetTarget = {readonly id: number; readonly isEnabled: boolean};

/** What a preset would do. */
export type PresetPlan = {
	/** By name. */
	readonly changes: readonly Change[];
	/** All that the preset names, as far as there is one of that name; those that are in the state already too. */
	readonly targets: readonly PresetTarget[];
	/** The names of which there is none, or no longer. */
	readonly missing: readonly string[];
	/** The names that several have by now. They are left alone. */
	readonly shared: ReadonlyArray<{readonly name: string; readonly ids: readonly number[]}>;
};

type Wanted = {readonly name: string; readonly key: string; readonly isEnabled: boolean};

/** A preset of thousands is compared again with each answer of the service. */
const wantedByPreset = new WeakMap<Preset, readonly Wanted[]>();

const toWanted = ({on, off}: Preset): readonly Wanted[] => {
	const states = new Map([...on.map(name => [name, true] as const), ...off.map(name => [name, false] as const)]);
	return [...states.keys()].toSorted().map(name => ({name, key: foldName(name), isEnabled: states.get(name)!}));
};

/** What a preset wants, by name. */
const wantedOf = (preset: Preset): readonly Wanted[] => {
	const known = wantedByPreset.get(preset) ?? toWanted(preset);
	wantedByPreset.set(preset, known);
	return known;
};

/** Returns a function that compares presets with the installed abilities; each preset is compared once. */
export const createPresetPlanner = (installed: readonly Switchable[]): ((preset: Preset) => PresetPlan) => {
	const records = Map.groupBy(installed, ({name}) => foldName(name));
	const plans = new WeakMap<Preset, PresetPlan>();

	const plan = (preset: Preset): PresetPlan => {
		const changes: Change[] = [];
		const targets: PresetTarget[] = [];
		const missing: string[] = [];
		const shared: Array<PresetPlan['shared'][number]> = [];
		for (const {name, key, isEnabled} of wantedOf(preset)) {
			const [record, ...others] = records.get(key) ?? [];
			if (record === undefined) {
				missing.push(name);
			} else if (others.length > 0) {
				shared.push({name, ids: [record, ...others].map(({id}) => id)});
			} else {
				targets.push({id: record.id, isEnabled});
				if (record.isEnabled !== isEnabled) {
					changes.push({
						kind: 'installed', name: record.name, field: 'enabled', from: record.isEnabled ?? null, to: isEnabled,
					});
				}
			}
		}

		return {
			changes, targets, missing, shared,
		};
	};

	return preset => {
		const known = plans.get(preset) ?? plan(preset);
		plans.set(preset, known);
		return known;
	};
};
