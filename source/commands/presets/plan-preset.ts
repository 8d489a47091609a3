import type {ResourceList} from '../../client/client.ts';
import {rawName, type InstalledAbility} from '../../interface/records.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {StepOf} from '../../state/plan.ts';
import {createPresetPlanner} from '../../state/preset-plan.ts';
import type {Preset} from '../../state/preset.ts';
import type {Context} from '../context.ts';
import type {FailedItem} from '../item-outcome.ts';
import {readResourceList} from '../read-list.ts';
import type {Plan} from '../state/prepare-plan.ts';
import type {Service} from '../with-service.ts';

type SwitchStep = StepOf<'switch'>;

/** What a preset would switch. */
export type PresetSwitches = Omit<Plan, 'steps' | 'lists'> & {
	readonly steps: readonly SwitchStep[];
	readonly lists: {readonly installed: ResourceList<InstalledAbility>};
	/** What it names and cannot be switched: it is not installed any more, or several have its name. */
	readonly failed: ReadonlyArray<FailedItem<SwitchStep>>;
};

const failedSwitch = (name: string, isEnabled: boolean, error: SwitchboardError): FailedItem<SwitchStep> => ({
	item: {
		kind: 'switch', name, record: undefined, isEnabled, changes: [{
			kind: 'installed', name, field: 'enabled', from: null, to: isEnabled,
		}],
	},
	error,
});

/** Compares a preset with what is installed now. Sends no write. */
export const planPreset = async (context: Context, service: Service, preset: Preset): Promise<PresetSwitches> => {
	const installed = await readResourceList(context, service, 'installed');
	const {targets, missing, shared} = createPresetPlanner(installed.records)(preset);
	const records = new Map(installed.records.map(record => [record.id, record]));
	const steps = targets.flatMap(({id, isEnabled}): readonly SwitchStep[] => {
		const record = records.get(id)!;
		const name = rawName(record);
		return record.isEnabled === isEnabled
			? []
			: [{
				kind: 'switch', name, record, isEnabled, changes: [{
					kind: 'installed', name, field: 'enabled', from: record.isEnabled ?? null, to: isEnabled,
				}],
			}];
	});
	const on = new Set(preset.on);
	return {
		steps,
		failed: [
			...missing.map(name => failedSwitch(name, on.has(name), new SwitchboardError('not-found', `${name} is not installed.`, {nextStep: 'Install it, or save the preset again.'}))),
			...shared.map(({name, ids}) => failedSwitch(name, on.has(name), new SwitchboardError('ambiguous', `Several are named ${name}: ${ids.join(', ')}.`, {nextStep: 'Switch it by its id.'}))),
		],
		unchangedCount: targets.length - steps.length,
		lists: {installed},
		sources: new Map(),
	};
};

/** Says what a preset names and cannot be switched. */
export const noteFailed = ({note}: Context, {failed}: Pick<PresetSwitches, 'failed'>): void => {
	for (const {error} of failed) {
		note(error.message);
	}
};
