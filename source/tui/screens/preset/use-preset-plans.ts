import {useMemo} from 'react';
import {type Preset} from '../../../state/preset.ts';
import {createPresetPlanner, type PresetPlan} from '../../../state/preset-plan.ts';
import {isShownEnabled} from '../../hooks/intents.ts';
import {useInstalled, type InstalledState} from '../../hooks/use-installed.ts';

type PresetPlans = {
	readonly installed: InstalledState;
	/** What a preset would do to what the screen shows now; `undefined` until the list was read in this run: an earlier one may be out of date. */
	readonly planOf: ((preset: Preset) => PresetPlan) | undefined;
};

export const usePresetPlans = (): PresetPlans => {
	const installed = useInstalled();
	const {records, intents, isFromEarlierRun} = installed;
	const planOf = useMemo(
		() => records === undefined || isFromEarlierRun ? undefined : createPresetPlanner(records.map(record => ({id: record.id, name: record.name, isEnabled: isShownEnabled(record, intents)}))),
		[records, intents, isFromEarlierRun],
	);
	return {installed, planOf};
};
