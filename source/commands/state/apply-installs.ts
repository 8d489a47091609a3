import {installedLookup} from '../../interface/installed-lookup.ts';
import {rawName, type InstalledAbility} from '../../interface/records.ts';
import {indexList, type ListIndex} from '../../state/list-index.ts';
import type {StepOf} from '../../state/plan.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {applySteps} from './apply-steps.ts';
import type {StepOutcome} from './step-outcome.ts';

/** Installs abilities. */
export const applyInstalls = async (context: Context, {client}: Service, steps: ReadonlyArray<StepOf<'install'>>): Promise<readonly StepOutcome[]> =>
	applySteps<StepOf<'install'>, InstalledAbility>(context, steps, {
		doing: 'Installing',
		action: async ({ability}) => client.installAbility(ability, context.writeSignal),
		lookUp: {
			read: async signal => client.list('installed', signal),
			isDone: ({ability}, {records}) => installedLookup(records)(ability) !== undefined,
			nextStep: 'Check with: switchboard installed',
		},
	});

/** The installed records of abilities that were created or installed. */
export type NewRecords = {
	readonly index: ListIndex<InstalledAbility>;
	/** The outcomes of installing those that an upload did not install. */
	readonly outcomes: readonly StepOutcome[];
};

/** Reads the records of abilities that were created or installed. Uploads install on some services; where they do not, this does. */
export const bringRecords = async (context: Context, service: Service, names: readonly string[]): Promise<NewRecords> => {
	const {client} = service;
	const index = indexList(await client.list('installed', context.readSignal));
	const missing = names.filter(name => index.find(name).length === 0);
	if (missing.length === 0) {
		return {index, outcomes: []};
	}

	const abilities = indexList(await client.list('abilities', context.readSignal));
	const outcomes = await applyInstalls(context, service, missing.flatMap(name => abilities.find(name).slice(0, 1)).map(ability => ({
		kind: 'install', name: rawName(ability), ability, changes: [],
	})));
	return {index: indexList(await client.list('installed', context.readSignal)), outcomes};
};
