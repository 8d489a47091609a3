import {foldName} from '../interface/fold-name.ts';
import {type Preset} from './preset.ts';

/** An installed ability, as a preset sees it. */
export type Switchable = {
	readonly id: number;
	readonly name: string;
	/** `undefined` if it is not known. */
	readonly isEnabled: boolean | undefined;
};

/** The installed abilities of a name that a preset cannot hold: their state is not known, or several have the name. */
export type LeftOut = {
	readonly name: string;
	readonly ids: readonly number[];
	readonly reason: 'shared-name' | 'unknown-state';
};

type Taken = {
	readonly preset: Preset;
	readonly leftOut: readonly LeftOut[];
};

/** The states of installed abilities as a preset, and what that leaves out. */
export const takePreset = (name: string, installed: readonly Switchable[]): Taken => {
	const on: string[] = [];
	const off: string[] = [];
	const leftOut: LeftOut[] = [];
	for (const records of Map.groupBy(installed, record => foldName(record.name)).values()) {
		const [{name: recordName, isEnabled}] = records as [Switchable];
		if (records.length > 1 || isEnabled === undefined) {
			leftOut.push({name: recordName, ids: records.map(({id}) => id), reason: records.length > 1 ? 'shared-name' : 'unknown-state'});
		} else {
			(isEnabled ? on : off).push(recordName);
		}
	}

	return {preset: {name, on: on.toSorted(), off: off.toSorted()}, leftOut};
};
