import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {nameIdentity} from '../../interface/name-index.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import type {StepOf} from '../../state/plan.ts';
import {hasPhrases} from '../../state/same-phrases.ts';
import type {Context} from '../context.ts';
import {refuseOtherState} from '../refuse-answer.ts';
import type {Service} from '../with-service.ts';
import {bringRecords, type NewRecords} from './apply-installs.ts';
import {applySteps} from './apply-steps.ts';
import {findBlocker, type StepOutcome} from './step-outcome.ts';

type EditStep = StepOf<'switch'> | StepOf<'phrases'>;

type NewestRecords = {
	/** Throws if the list did not show it. */
	readonly get: (step: EditStep) => InstalledAbility;
	readonly set: (step: EditStep, record: InstalledAbility) => void;
};

const keyOf = ({name, record}: EditStep): string | number => record?.id ?? nameIdentity(name);

/** The newest that is known of each record: it is sent back whole. */
const newestRecords = (found: NewRecords | SwitchboardError | undefined): NewestRecords => {
	const answered = new Map<string | number, InstalledAbility>();

	const findNew = (name: string): InstalledAbility => {
		if (found instanceof SwitchboardError) {
			throw found;
		}

		const [record, ...others] = found?.index.find(name) ?? [];
		if (record === undefined || others.length > 0) {
			throw new SwitchboardError('not-found', `The list of installed abilities does not show ${name}.`, {nextStep: 'Run the command again.'});
		}

		return record;
	};

	return {
		get: step => answered.get(keyOf(step)) ?? step.record ?? findNew(step.name),
		set(step, record) {
			answered.set(keyOf(step), record);
		},
	};
};

/** Looks up the records that were not there when the plan was made. */
const findNewRecords = async (context: Context, service: Service, steps: readonly EditStep[]): Promise<NewRecords | SwitchboardError | undefined> => {
	if (steps.length === 0) {
		return undefined;
	}

	try {
		return await bringRecords(context, service, [...new Set(steps.map(({name}) => name))]);
	} catch (error) {
		return toSwitchboardError(error);
	}
};

/**
Switches installed abilities, then changes their trigger phrases: with the answer to the first, because a service may replace
the whole record.

@param earlier - the outcomes of creating and installing.
*/
export const applyEdits = async (
	context: Context,
	service: Service,
	{switches, phrases}: {readonly switches: ReadonlyArray<StepOf<'switch'>>; readonly phrases: ReadonlyArray<StepOf<'phrases'>>},
	earlier: readonly StepOutcome[],
): Promise<readonly StepOutcome[]> => {
	const {client} = service;
	const unseen = [...switches, ...phrases].filter(({record, name}) => record === undefined && findBlocker(earlier, name) === undefined);
	const found = await findNewRecords(context, service, unseen);
	const before = [...earlier, ...(found === undefined || found instanceof SwitchboardError ? [] : found.outcomes)];
	const records = newestRecords(found);

	const lookUp = (isDone: (step: EditStep, seen: InstalledAbility) => boolean | undefined) => ({
		read: async (signal: AbortSignal) => client.list('installed', signal),
		isDone(step: EditStep, list: {readonly records: readonly InstalledAbility[]}): boolean | undefined {
			const seen = list.records.find(({id}) => id === records.get(step).id);
			if (seen !== undefined) {
				records.set(step, seen);
			}

			return seen && isDone(step, seen);
		},
		nextStep: 'Check with: switchboard installed',
	});

	const switched = await applySteps<StepOf<'switch'>, InstalledAbility>(context, switches, {
		doing: 'Switching',
		blockerOf: ({record, name}) => record === undefined ? findBlocker(before, name) : undefined,
		async action(step) {
			const record = records.get(step);
			if (record.isEnabled === step.isEnabled) {
				return;
			}

			const answered = await client.setEnabled(record, step.isEnabled, context.writeSignal);
			records.set(step, answered);
			refuseOtherState(answered, step.isEnabled);
		},
		lookUp: lookUp((step, {isEnabled}) => isEnabled === undefined ? undefined : step.kind === 'switch' && isEnabled === step.isEnabled),
	});

	const failedSwitches = new Map(switched.filter(outcome => 'error' in outcome).map(outcome => [keyOf(outcome.item), outcome]));
	const edited = await applySteps<StepOf<'phrases'>, InstalledAbility>(context, phrases, {
		doing: 'Changing trigger phrases',
		blockerOf: step => (step.record === undefined ? findBlocker(before, step.name) : undefined) ?? failedSwitches.get(keyOf(step)),
		async action(step) {
			const record = records.get(step);
			if (hasPhrases(record, step.phrases) !== true) {
				records.set(step, await client.editPhrases(record, step.phrases, context.writeSignal));
			}
		},
		lookUp: lookUp((step, seen) => step.kind === 'phrases' ? hasPhrases(seen, step.phrases) : undefined),
	});
	return [...switched, ...edited];
};
