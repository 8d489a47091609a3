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

const byName = (a: readonly [string, boolean], b: readonly [string, boolean]): number => a[0] < b[0] ? -1 : 1;

/** Returns a function that compares presets with the installed abilities; each preset is compared once. */
export const createPresetPlanner = (installed: readonly Switchable[]): ((preset: Preset) => PresetPlan) => {
	const records = Map.groupBy(installed, ({name}) => foldName(name));
	const plans = new WeakMap<Preset, PresetPlan>();

	const plan = ({on, off}: Preset): PresetPlan => {
		const changes: Change[] = [];
		const targets: PresetTarget[] = [];
		const missing: string[] = [];
		const shared: Array<PresetPlan['shared'][number]> = [];
		const wanted = [...on.map(name => [name, true] as const), ...off.map(name => [name, false] as const)].toSorted(byName);
		for (const [name, isEnabled] of wanted) {
			const [record, ...others] = records.get(foldName(name)) ?? [];
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
