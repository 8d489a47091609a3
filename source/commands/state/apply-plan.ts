import {hasValues, isChangedAgain} from '../../changes/fields.ts';
import {refuseOtherState} from '../../changes/record-changes.ts';
import {findingOf, missingFrom, type ChangeOutcome, type FailedChange} from '../../changes/send-changes.ts';
import type {AgentChanges, ResourceList} from '../../client/client.ts';
import {findRelease} from '../../client/release-source.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {installedLookup} from '../../interface/installed-lookup.ts';
import {cleanName, rawName, type InstalledAbility, type Resource} from '../../interface/records.ts';
import {indexList, stepsOf, type ListIndex, type Step, type StepOf} from '../../state/plan.ts';
import {changeItems, type ItemChanges} from '../change-items.ts';
import {startCheck} from '../check-changes.ts';
import type {Context} from '../context.ts';
import {releasesOf, sendRelease, uploadAndLookUp, uploadOf} from '../abilities-upload.ts';
import {expectCreation, expectRelease} from '../expect-source.ts';
import type {Service} from '../with-service.ts';
import type {Plan} from './prepare-plan.ts';

const done = {isChanged: true} as const;

/** The outcome of a step. */
export type StepOutcome = ChangeOutcome<Step, typeof done>;

const verbs: Readonly<Partial<Record<Step['kind'], string>>> = {create: 'created', install: 'installed', switch: 'switched'};

/** The outcome of a step that is not sent because another failed. */
const blockedBy = (item: Step, {item: {kind, name}, error}: FailedChange<Step>): FailedChange<Step> => ({
	item,
	isNotSent: true,
	error: new SwitchboardError(error.kind, `Not sent, because ${name} was not ${verbs[kind] ?? 'changed'} first.`, {
		nextStep: error.nextStep,
	}),
});

const words = ({name}: Step) => [`${name} has not changed`, `${name} has changed`] as const;

type EditStep = StepOf<'switch'> | StepOf<'phrases'>;

const keyOf = ({name, record}: EditStep): string | number => record?.id ?? cleanName(name);

/**
Does what a plan says, in an order in which each step finds what it needs, and goes on past what fails. Prints nothing. After a
signal, or when the time is up, no further step is sent: run it within `finishBeforeExit`.

@returns the outcome of each step, in the order of the plan.
*/
export const applyPlan = async (
	context: Context,
	service: Service,
	{steps, sources, lists}: Pick<Plan, 'steps' | 'sources' | 'lists'>,
): Promise<readonly StepOutcome[]> => {
	const {client} = service;
	const {readSignal, writeSignal} = context;
	const outcomes = new Map<Step, StepOutcome>();
	const failed: Array<FailedChange<Step>> = [];
	const check = startCheck(context, service);

	const settle = (outcome: StepOutcome): void => {
		outcomes.set(outcome.item, outcome);
		if ('error' in outcome) {
			failed.push(outcome);
		}
	};

	/** A failed step of these kinds and one of the names: what needs it is not sent. */
	const findFailed = (kinds: ReadonlyArray<Step['kind']>, ...names: readonly string[]): FailedChange<Step> | undefined => {
		const wanted = new Set(names.map(name => cleanName(name)));
		return failed.find(({item: {kind, name}}) => kinds.includes(kind) && wanted.has(cleanName(name)));
	};

	const take = async <Taken extends Step, R extends Resource>(
		taken: readonly Taken[],
		{send, ...changes}: Omit<ItemChanges<Taken, typeof done, R>, 'send'> & {readonly send: (step: Taken) => Promise<unknown>},
		blockerOf: (step: Taken) => FailedChange<Step> | undefined = () => undefined,
	): Promise<void> => {
		const blockers = taken.map(step => [step, blockerOf(step)] as const);
		for (const [step, blocker] of blockers) {
			if (blocker !== undefined) {
				settle(blockedBy(step, blocker));
			}
		}

		const sent = await changeItems<Taken, typeof done, R>(
			context,
			service,
			taken.filter(step => !outcomes.has(step)),
			{
				...changes,
				check,
				async send(step) {
					await send(step);
					return done;
				},
			},
		);
		for (const outcome of sent) {
			settle(outcome);
		}
	};

	/** If an answer is lost, it is looked up in the list of abilities or in the source on the service. */
	const sendSources = async (taken: ReadonlyArray<StepOf<'create'> | StepOf<'release'>>) =>
		take<StepOf<'create'> | StepOf<'release'>, 'abilities'>(
			taken,
			{
				doing: 'Sending',
				expect: step =>
					step.kind === 'create'
						? expectCreation(step, lists.abilities)
						: expectRelease(context, service, step.ability, sources.get(step.entry)!.packed),
				async send(step) {
					const {packed, release} = sources.get(step.entry)!;
					if (step.kind === 'create') {
						return uploadAndLookUp(context, service, uploadOf(packed), lists.abilities);
					}

					const {ability} = step;
					return sendRelease(context, service, {
						ability,
						release: release ?? (await findRelease(releasesOf(context, service), ability)),
						packed,
						message: 'Applied from a state file',
					});
				},
			},
			({kind, name}) => (kind === 'release' ? findFailed(['install'], name) : undefined),
		);

	const install = async (taken: ReadonlyArray<StepOf<'install'>>) =>
		take(taken, {
			doing: 'Installing',
			send: async ({ability}) => client.installAbility(ability, writeSignal),
			lookUp: {
				resource: 'installed',
				effect: 'adds',
				find: ({ability}, {records}) => findingOf(installedLookup(records)(ability) !== undefined, done),
				words,
			},
		});

	const readInstalled = async () => indexList(await client.list('installed', readSignal));

	/** Reads the records of abilities that were created or installed. Uploads install on some services; where they do not, this does. */
	const bringRecords = async (names: readonly string[]): Promise<ListIndex<InstalledAbility>> => {
		const index = await readInstalled();
		const missing = names.filter(name => index.find(name).length === 0);
		if (missing.length === 0) {
			return index;
		}

		const abilities = indexList(await client.list('abilities', readSignal));
		await install(
			missing
				.flatMap(name => abilities.find(name).slice(0, 1))
				.map(ability => ({kind: 'install', name: rawName(ability), ability, changes: []})),
		);
		return readInstalled();
	};

	const [creates, releases] = [stepsOf(steps, 'create'), stepsOf(steps, 'release')];
	const isReady = ({entry}: StepOf<'release'>): boolean => sources.get(entry)?.release !== undefined;
	await sendSources([...creates, ...releases.filter(step => isReady(step))]);
	await install(stepsOf(steps, 'install'));
	await sendSources(releases.filter(step => !isReady(step)));

	const blockerOf = ({record, name}: EditStep): FailedChange<Step> | undefined =>
		record === undefined ? findFailed(['create', 'install'], name) : undefined;
	const unseen = stepsOf(steps, 'switch', 'phrases').filter(step => step.record === undefined && blockerOf(step) === undefined);
	let found: ListIndex<InstalledAbility> | SwitchboardError = indexList<InstalledAbility>(undefined);
	try {
		if (unseen.length > 0) {
			found = await bringRecords([...new Set(unseen.map(({name}) => name))]);
		}
	} catch (error) {
		found = toSwitchboardError(error);
	}

	/** The newest that is known of each record: it is sent back whole. */
	const newest = new Map<string | number, InstalledAbility>();

	const recordOf = (step: EditStep): InstalledAbility => {
		const known = newest.get(keyOf(step)) ?? step.record;
		if (known !== undefined) {
			return known;
		}

		if (found instanceof SwitchboardError) {
			throw found;
		}

		const [record, ...others] = found.find(step.name);
		if (record === undefined || others.length > 0) {
			throw new SwitchboardError('not-found', `The list of installed abilities does not show ${step.name}.`, {
				nextStep: 'Run the command again.',
			});
		}

		return record;
	};

	const lookUpEdit = <Taken extends EditStep>(
		isDone: (step: Taken, seen: InstalledAbility) => boolean | undefined,
		isOvertaken: (step: Taken, seen: InstalledAbility) => boolean = () => false,
	) =>
		({
			resource: 'installed',
			find(step: Taken, list: ResourceList<InstalledAbility>) {
				const seen = list.records.find(({id}) => id === recordOf(step).id);
				if (seen === undefined) {
					return missingFrom(list, cleanName(step.name));
				}

				newest.set(keyOf(step), seen);
				return findingOf<Taken, typeof done>(isDone(step, seen), done, undefined, isOvertaken(step, seen));
			},
			words,
		}) as const;

	await take(
		stepsOf(steps, 'switch'),
		{
			doing: 'Switching',
			async send(step) {
				const record = recordOf(step);
				if (record.isEnabled === step.isEnabled) {
					return;
				}

				const answered = await client.editInstalled(record, {enabled: step.isEnabled}, writeSignal);
				newest.set(keyOf(step), answered);
				refuseOtherState(answered, step.isEnabled);
			},
			lookUp: lookUpEdit((step: StepOf<'switch'>, {isEnabled}) => (isEnabled === undefined ? undefined : isEnabled === step.isEnabled)),
		},
		blockerOf,
	);

	// A service may replace the whole record, so the phrases go with the answer to the switch.
	await take(
		stepsOf(steps, 'phrases'),
		{
			doing: 'Changing trigger phrases',
			async send(step) {
				const record = recordOf(step);
				if (hasValues('installed', record, {triggers: step.phrases}) !== true) {
					newest.set(keyOf(step), await client.editInstalled(record, {triggers: step.phrases}, writeSignal));
				}
			},
			lookUp: lookUpEdit(
				(step: StepOf<'phrases'>, seen) => hasValues('installed', seen, {triggers: step.phrases}),
				({record}, seen) => record !== undefined && hasValues('installed', seen, {triggers: record.triggerPhrases}) === false,
			),
		},
		step => blockerOf(step) ?? findFailed(['switch'], step.name),
	);

	let reading: ReturnType<typeof client.list<'abilities'>> | undefined;
	const sent = new Map<Step, AgentChanges>();
	const toChanges = async ({edit: {name, prompt, ties}}: StepOf<'agent'>): Promise<AgentChanges> => {
		if (ties?.some(({id}) => id === undefined)) {
			reading ??= client.list('abilities', readSignal);
		}

		const abilities = indexList(await reading);
		const abilityIds = ties?.map(tie => {
			const [ability, ...others] = abilities.find(tie.name);
			if (tie.id === undefined && (ability === undefined || others.length > 0)) {
				throw new SwitchboardError('not-found', `The list of abilities does not tell which one is ${tie.name}, which was created.`, {
					nextStep: 'Run the command again.',
				});
			}

			return tie.id ?? ability!.id;
		});
		return {name, prompt, canLosePrompt: context.isSure, abilities: abilityIds};
	};

	await take(
		stepsOf(steps, 'agent'),
		{
			doing: 'Changing agents',
			async send(step) {
				const changes = await toChanges(step);
				sent.set(step, changes);
				return client.editAgent(step.agent, changes, writeSignal);
			},
			lookUp: {
				resource: 'agents',
				find(step, {records}) {
					const seen = records.find(({id}) => id === step.agent.id);
					const changes = sent.get(step)!;
					return findingOf<StepOf<'agent'>, typeof done>(
						seen && hasValues('agents', seen, changes),
						done,
						undefined,
						seen && isChangedAgain('agents', seen, step.agent, changes),
					);
				},
				words,
			},
		},
		({edit: {ties = []}}) => findFailed(['create'], ...ties.filter(({id}) => id === undefined).map(({name}) => name)),
	);
	await take(stepsOf(steps, 'ability'), {
		doing: 'Changing',
		send: async ({ability, edit}) => client.editAbility(ability, edit, writeSignal),
		lookUp: {
			resource: 'abilities',
			find({ability, edit}, {records}) {
				const seen = records.find(({id}) => id === ability.id);
				return findingOf(seen && hasValues('abilities', seen, edit), done);
			},
			words,
		},
	});
	return check.settle(steps.map(step => outcomes.get(step)!));
};
