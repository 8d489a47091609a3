import {findCaseVariants, indexNames} from '../interface/name-index.ts';
import type {Change} from '../changes/change.ts';
import type {Preset} from '../settings/presets.ts';

export type Switchable = {readonly id: number; readonly name: string; readonly isEnabled: boolean | undefined};

/** The installed abilities with a name that a preset cannot hold: their state is unknown, or several share the name. */
export type LeftOut = {readonly name: string; readonly ids: readonly number[]; readonly reason: 'shared-name' | 'unknown-state'};

type Taken = {readonly preset: Preset; readonly leftOut: readonly LeftOut[]};

/** Returns the states of installed abilities as a preset, and the names that it leaves out. */
export function takePreset(name: string, installed: readonly Switchable[]): Taken {
	const on: string[] = [];
	const off: string[] = [];
	const leftOut: LeftOut[] = [];
	for (const records of Map.groupBy(installed, ({name: recordName}) => recordName).values()) {
		const [{name: recordName, isEnabled}] = records as [Switchable];
		if (records.length > 1 || isEnabled === undefined) {
			leftOut.push({name: recordName, ids: records.map(({id}) => id), reason: records.length > 1 ? 'shared-name' : 'unknown-state'});
		} else {
			(isEnabled ? on : off).push(recordName);
		}
	}

	return {preset: {name, on: on.toSorted(), off: off.toSorted()}, leftOut};
}

/** An installed ability that a preset names, and the state that it wants. */
type PresetTarget = {readonly id: number; readonly isEnabled: boolean};

export type PresetPlan = {
	/** By name. */
	readonly changes: readonly Change[];
	/** The installed abilities that the preset names, including those that have the wanted state already. */
	readonly targets: readonly PresetTarget[];
	readonly missing: readonly string[];
	/** Names that several installed abilities have by now. These abilities are left as they are. */
	readonly shared: ReadonlyArray<{readonly name: string; readonly ids: readonly number[]}>;
};

/** Returns a function that compares presets with the installed abilities; each preset is compared once. */
export function createPresetPlanner(installed: readonly Switchable[]): (preset: Preset) => PresetPlan {
	const index = indexNames(installed);
	const plans = new WeakMap<Preset, PresetPlan>();

	const plan = (preset: Preset): PresetPlan => {
		const changes: Change[] = [];
		const targets: PresetTarget[] = [];
		const missing: string[] = [];
		const shared: Array<PresetPlan['shared'][number]> = [];
		const variants = findCaseVariants([...preset.on, ...preset.off]);
		for (const {name, isEnabled} of wantedOf(preset)) {
			const [record, ...others] = index.find(name, variants.has(name));
			if (record === undefined) {
				missing.push(name);
			} else if (others.length > 0) {
				shared.push({name, ids: [record, ...others].map(({id}) => id)});
			} else {
				targets.push({id: record.id, isEnabled});
				if (record.isEnabled !== isEnabled) {
					changes.push({kind: 'installed', name: record.name, field: 'enabled', from: record.isEnabled ?? null, to: isEnabled});
				}
			}
		}

		return {changes, targets, missing, shared};
	};

	return preset => {
		const known = plans.get(preset) ?? plan(preset);
		plans.set(preset, known);
		return known;
	};
}

/** Returns the wanted states of a preset, by name. */
function wantedOf({on, off}: Preset): ReadonlyArray<{readonly name: string; readonly isEnabled: boolean}> {
	const states = new Map([...on.map(name => [name, true] as const), ...off.map(name => [name, false] as const)]);
	return [...states.keys()].toSorted().map(name => ({name, isEnabled: states.get(name)!}));
}
