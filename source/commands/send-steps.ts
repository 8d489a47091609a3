import {fieldsOf, hasValues, isChangedAgain, refuseUneditable, withValues, type Values} from '../changes/fields.ts';
import {findingOf, missingFrom, sendChanges, type FailedChange, type Finding} from '../changes/send-changes.ts';
import type {AbilityChanges, AgentChanges, ResourceList} from '../client/client.ts';
import {findRelease} from '../client/release-source.ts';
import {reasonOf, SwitchboardError, toSwitchboardError, unknownOutcomeError, throwIfAny} from '../interface/errors.ts';
import {absenceCheck, installedLookup, stateWord, versionInUse} from '../interface/installed-lookup.ts';
import {isJsonObject, isSameJson, type JsonValue} from '../interface/json.ts';
import {
	cleanName,
	rawName,
	type Ability,
	type Agent,
	type DecodedRecord,
	type InstalledAbility,
	type Records,
	type Resource,
} from '../interface/records.ts';
import {indexList, isSwitch, stepsOf, type ListIndex, type StepResult, type Step, type StepOf, type StepOutcome} from '../state/plan.ts';
import {EffectCheck, readAfterwards, listOf, nextStepOf, verbs, wordsOf} from './check-changes.ts';
import type {Context} from './context.ts';
import {findCreated, findDrafted, findReleased, releasesOf, sendRelease, sendUpload} from './send-source.ts';
import type {Service} from './with-service.ts';

/* The only way in which commands and tools change anything on a service. */

export type SendOptions = {
	/** True for a plan, which reports all changes alike, and checks every answer against the list. */
	readonly isPlan?: boolean;
	/** True to trust the answer: no list is read after it. */
	readonly isBelieved?: boolean;
};

/**
Sends steps a few at a time and past failures, in an order that meets the needs of each, with a line of progress. Looks up lost answers, and
checks that the changes had effect. After a signal, or when the time is up, no other step is begun: run it within `finishBeforeExit`. In a
dry run nothing is sent.

@returns the outcome of each step, in their order.
*/
export async function sendSteps(
	context: Context,
	service: Service,
	steps: readonly Step[],
	options: SendOptions = {},
): Promise<readonly StepOutcome[]> {
	return new Sending(context, service, steps, options).run();
}

const isSource = ({kind}: Step): boolean => kind === 'create' || kind === 'release';

const sets =
	(resource: Resource) =>
	(step: Step): boolean =>
		step.kind === 'set' && step.resource === resource;

/**
The phases: the word for the progress line, and the steps. An ability may show the release that takes its code only once it is installed.
*/
const phases: ReadonlyArray<readonly [doing: string, isMeant: (step: Step) => boolean]> = [
	['Sending', step => step.kind === 'create' || (step.kind === 'release' && step.release !== undefined)],
	['Installing', ({kind}) => kind === 'install'],
	['Sending', ({kind}) => kind === 'release'],
	['Uninstalling', ({kind}) => kind === 'uninstall'],
	['Deleting', ({kind}) => kind === 'delete'],
	['Restoring', ({kind}) => kind === 'reuse'],
	['Switching', isSwitch],
	// A service may replace the whole record, so the phrases are taken from the answer to the switch.
	['Changing', sets('installed')],
	['Changing', sets('agents')],
	['Changing', sets('abilities')],
];

/** Returns the outcome of a step that is not sent because another step failed. */
function blockedBy(item: Step, {item: blocker, error}: FailedChange<Step>): FailedChange<Step> {
	const verb = isSwitch(blocker) ? 'switched' : blocker.kind === 'create' || blocker.kind === 'install' ? verbs[blocker.kind] : 'changed';
	const message = `Not sent, because ${blocker.name} was not ${verb} first.`;
	return {item, isNotSent: true, error: new SwitchboardError(error.kind, message, {nextStep: error.nextStep})};
}

/** Returns a timer of so many seconds with the time of the answer: the clock of the service, which counts them, may differ by more than minutes. */
const countedBy = ({timer}: InstalledAbility, value: JsonValue | undefined): JsonValue | undefined =>
	timer !== undefined && isJsonObject(value) && value['for'] !== undefined
		? {enabled: value['enabled']!, at: timer.at, note: value['note']!}
		: value;

/** @throws SwitchboardError `refused` if the service answered with other values. */
function refuseOtherAnswer(answered: InstalledAbility, values: Values): void {
	for (const [field, {noun, type}] of fieldsOf('installed')) {
		if (hasValues('installed', answered, {[field]: countedBy(answered, values[field])}) === false) {
			const {name, isEnabled} = answered;
			const [other, pronoun] = type === 'list' ? ['other', 'them'] : ['another', 'it'];
			if (type === 'timer') {
				throw new SwitchboardError('conflict', `${name} was ${stateWord(isEnabled)} already, and the service set no timer.`);
			}

			throw type === 'state'
				? new SwitchboardError('refused', `The service answered that ${name} is still ${stateWord(isEnabled)}.`)
				: new SwitchboardError('refused', `The service answered that ${name} has ${other} ${noun}.`, {
						nextStep: `Look at ${pronoun} with: switchboard installed --json`,
					});
		}
	}
}

class Sending {
	readonly #context: Context;
	readonly #service: Service;
	readonly #steps: readonly Step[];
	readonly #options: SendOptions;
	readonly #outcomes = new Map<Step, StepOutcome>();
	readonly #failed: Array<FailedChange<Step>> = [];
	readonly #check: EffectCheck;
	readonly #installedBefore: ReadonlySet<number>;
	/** The newest known state of each installed record, because the whole record is sent back. */
	readonly #newest = new Map<string | number, InstalledAbility>();
	/** The values that were sent for steps whose abilities had no ids before. */
	readonly #resolved = new Map<Step, Values>();
	/** The installed abilities that earlier steps created, or the reason why they are not known. */
	#found: ListIndex<InstalledAbility> | SwitchboardError = indexList<InstalledAbility>(undefined);
	#abilities: Promise<ResourceList<Ability>> | undefined;

	constructor(context: Context, service: Service, steps: readonly Step[], options: SendOptions) {
		this.#context = context;
		this.#service = service;
		this.#steps = steps;
		this.#options = options;
		this.#check = new EffectCheck(context, service, options.isPlan, async (step, list, done) => this.#look(step, list, done));
		this.#installedBefore = new Set(service.lists().installed?.records.map(({id}) => id));
	}

	async run(): Promise<readonly StepOutcome[]> {
		for (const [doing, isMeant] of phases) {
			if (doing === 'Switching') {
				await this.#bringRecords();
				await this.#uninstallAgain();
			}

			await this.#take(
				doing,
				this.#steps.filter(step => isMeant(step) && !this.#outcomes.has(step)),
			);
		}

		return this.#check.settle(this.#steps.map(step => this.#outcomes.get(step)!));
	}

	async #take(doing: string, taken: readonly Step[]): Promise<void> {
		const blockers = new Map(taken.map(step => [step, this.#blockerOf(step)]));
		for (const [step, blocker] of blockers) {
			if (blocker !== undefined) {
				this.#settle(blockedBy(step, blocker));
			}
		}

		const ready = taken.filter(step => blockers.get(step) === undefined);
		const [first] = ready;
		if (first === undefined) {
			return;
		}

		const {showProgress, writeSignal} = this.#context;
		const resource = listOf(first);
		let finished = 0;
		const showFinished = (): void =>
			showProgress(ready.length === 1 ? `${doing} ${first.name} …` : `${doing}: ${finished} of ${ready.length} …`);

		showFinished();
		const outcomes = await sendChanges<Step, StepResult, ResourceList<DecodedRecord>>(ready, {
			send: async step => this.#send(step),
			signal: writeSignal,
			onOutcome() {
				finished++;
				showFinished();
			},
			// Code is looked up when it is sent.
			lookUp: isSource(first)
				? undefined
				: {
						// A missing record may have been removed by a request whose answer was lost.
						isUncertain: ({isOutcomeUnknown, kind}) =>
							isOutcomeUnknown || (kind === 'not-found' && ['uninstall', 'delete'].includes(first.kind)),
						read: async () => {
							const list = await readAfterwards(this.#context, async signal => this.#service.client.list(resource, signal));
							if (list !== undefined && ready.length === this.#steps.length) {
								this.#check.know(resource, list);
							}

							return list;
						},
						find: (step, list) => this.#find(step, list),
						explain: (error, step, finding) => {
							const [notYet, arrived] = wordsOf(step, this.#options.isPlan);
							const state = finding === undefined ? `It is not known whether ${arrived}` : `${notYet} yet`;
							const sentence = finding?.sentence ?? `${state}: the change was sent and may still arrive.`;
							return unknownOutcomeError(error, sentence, nextStepOf(step));
						},
					},
		});
		for (const outcome of outcomes) {
			this.#settle(outcome);
			if ('result' in outcome && this.#needsCheck(outcome.item, outcome.result)) {
				this.#check.expect(outcome.item, outcome.result);
			}
		}
	}

	#settle(outcome: StepOutcome): void {
		this.#outcomes.set(outcome.item, outcome);
		if ('error' in outcome) {
			this.#failed.push(outcome);
		}
	}

	/** Tells whether a step needs a look at the list: outside of a plan, the answer to a switch that shows the record is believed. */
	#needsCheck(step: Step, {isChanged, record}: StepResult): boolean {
		const isShown = !this.#options.isPlan && isSwitch(step) && !(record as InstalledAbility).isUnconfirmed;
		return isChanged && !isShown && !this.#options.isBelieved && !this.#context.isDryRun;
	}

	/** Returns a failed step that this one needs. */
	#blockerOf(step: Step): FailedChange<Step> | undefined {
		const find = (isNeeded: (other: Step) => boolean, names = [step.name]): FailedChange<Step> | undefined => {
			const wanted = new Set(names.map(name => cleanName(name)));
			return this.#failed.find(({item}) => isNeeded(item) && wanted.has(cleanName(item.name)));
		};

		if (step.kind === 'release') {
			return find(({kind}) => kind === 'install');
		}

		if (step.kind !== 'set') {
			return undefined;
		}

		return step.resource === 'installed'
			? ((step.record === undefined ? find(({kind}) => kind === 'create' || kind === 'install') : undefined) ??
					(isSwitch(step) ? undefined : find(isSwitch)))
			: find(
					({kind}) => kind === 'create',
					(step.ties ?? []).filter(({id}) => id === undefined).map(({name}) => name),
				);
	}

	async #send(step: Step): Promise<StepResult> {
		const {client} = this.#service;
		const {isDryRun, writeSignal} = this.#context;
		const {isDone = false, problem, record} = step;
		throwIfAny(problem);

		if (step.kind === 'set') {
			return this.#set(step);
		}

		const done = {isChanged: !isDone, record};
		if (isDone || isDryRun) {
			return step.kind === 'release' ? {...done, version: isDone ? versionInUse(step.record) : step.release?.version} : done;
		}

		switch (step.kind) {
			case 'create': {
				return sendUpload(this.#context, this.#service, step);
			}

			case 'release': {
				const {id} = step.release ?? (await findRelease(releasesOf(this.#context, this.#service), step.record));
				return sendRelease(this.#context, this.#service, step, id);
			}

			default: {
				await this.#noteRemoval(step);
				await (step.kind === 'install'
					? client.installAbility(step.record, writeSignal)
					: step.kind === 'uninstall'
						? client.uninstallAbility(step.record, writeSignal)
						: step.kind === 'delete'
							? client.deleteAbility(step.record, writeSignal)
							: client.enableRelease(step.releaseId, writeSignal));
				return done;
			}
		}
	}

	/** Notes an ability before it is removed, so that undo can bring it back. */
	async #noteRemoval(step: StepOf<'delete' | 'uninstall' | 'install' | 'reuse'>): Promise<void> {
		if ('removal' in step && step.removal !== undefined) {
			const {former, zip} = step.removal;
			let reason: string | undefined;
			try {
				const {source} = await this.#service.noteRemoval(former, step.record, zip);
				// The question has already said so.
				reason = this.#context.isSure && source !== undefined && 'reason' in source ? source.reason : undefined;
			} catch (error) {
				reason = reasonOf(error);
			}

			if (reason !== undefined) {
				this.#context.note(`${former.name} cannot be brought back: ${reason}`, 'warning');
			}
		}
	}

	async #set(step: StepOf<'set'>): Promise<StepResult> {
		const {resource, advice, isDone = false} = step;
		const record = this.#recordOf(step);
		const values = await this.#valuesOf(step);
		refuseUneditable(resource, record, values);
		const isFlagged = Object.entries(step.flags ?? {}).every(([name, flag]) => isSameJson(record.raw[name], flag));
		if (isDone || (step.record === undefined && isFlagged && hasValues(resource, record, values) === true)) {
			return {isChanged: false, record};
		}

		if (this.#context.isDryRun) {
			return {isChanged: true, record: withValues(resource, record, values)};
		}

		try {
			return {isChanged: true, record: await this.#edit(step, record, values)};
		} catch (error_) {
			const error = toSwitchboardError(error_);
			throw advice !== undefined && error.exitCode === 5 ? error.with({nextStep: advice}) : error;
		}
	}

	async #edit(step: StepOf<'set'>, record: DecodedRecord, values: Values): Promise<DecodedRecord> {
		const {client} = this.#service;
		const {isSure: canLosePrompt, writeSignal} = this.#context;
		if (step.resource === 'agents') {
			return client.editAgent(record as Agent, {...(values as AgentChanges), canLosePrompt}, writeSignal);
		}

		if (step.resource === 'abilities') {
			return client.editAbility(record as Ability, values as AbilityChanges, writeSignal);
		}

		const flagged = step.flags === undefined ? record : {...record, raw: {...record.raw, ...step.flags}};
		const answered = await client.editInstalled(flagged as InstalledAbility, step.values, writeSignal);
		this.#newest.set(keyOf(step), answered);
		refuseOtherAnswer(answered, step.values);
		return answered;
	}

	/** Returns the values of a step, with the ids of abilities that were created. */
	async #valuesOf(step: StepOf<'set'>): Promise<Values> {
		const {values, ties} = step;
		if (ties === undefined) {
			return values;
		}

		this.#abilities ??= this.#service.client.list('abilities', this.#context.readSignal);
		const abilities = indexList(await this.#abilities);
		const ids = ties.map(tie => {
			const [ability, ...others] = abilities.find(tie.name);
			if (tie.id === undefined && (ability === undefined || others.length > 0)) {
				throw new SwitchboardError('not-found', `${tie.name} was created, but the list of abilities does not show which one it is.`, {
					nextStep: 'Run the command again.',
				});
			}

			return tie.id ?? ability!.id;
		});
		const resolved = {...values, abilities: ids} as Values;
		this.#resolved.set(step, resolved);
		return resolved;
	}

	/** Reads the records of abilities that were created or installed. Uploads install on some services; on others this does. */
	async #bringRecords(): Promise<void> {
		const unseen = this.#steps.filter(
			step => step.kind === 'set' && step.record === undefined && step.problem === undefined && this.#blockerOf(step) === undefined,
		);
		if (unseen.length === 0) {
			return;
		}

		const {client} = this.#service;
		const {readSignal} = this.#context;
		try {
			this.#found = indexList(await client.list('installed', readSignal));
			const {find} = this.#found;
			const missing = [...new Set(unseen.map(({name}) => name))].filter(name => find(name).length === 0);
			if (missing.length > 0) {
				const abilities = indexList(await client.list('abilities', readSignal));
				const records = missing.flatMap(name => abilities.find(name).slice(0, 1));
				await this.#take(
					'Installing',
					records.map((record): Step => ({kind: 'install', name: rawName(record), record, changes: []})),
				);
				this.#found = indexList(await client.list('installed', readSignal));
			}
		} catch (error) {
			this.#found = toSwitchboardError(error);
		}
	}

	/** Some services install and switch on every upload. */
	async #uninstallAgain(): Promise<void> {
		const created = stepsOf(this.#steps, 'create').filter(
			step => step.isNotInstalled && !this.#context.isDryRun && 'result' in this.#outcomes.get(step)!,
		);
		if (created.length === 0) {
			return;
		}

		const {client} = this.#service;
		const {readSignal, writeSignal, note} = this.#context;
		const installed = indexList(await client.list('installed', readSignal));
		for (const record of created.flatMap(({name}) => installed.find(name).slice(0, 1))) {
			try {
				await client.uninstallAbility(record, writeSignal);
			} catch (error) {
				note(`${record.name} was not installed before, and is now: ${reasonOf(error)}`, 'warning');
			}
		}
	}

	#recordOf(step: StepOf<'set'>): Records[Resource] {
		const known = step.resource === 'installed' ? (this.#newest.get(keyOf(step)) ?? step.record) : step.record;
		if (known !== undefined) {
			return known;
		}

		if (this.#found instanceof SwitchboardError) {
			throw this.#found;
		}

		const [record, ...others] = this.#found.find(step.name);
		if (record === undefined || others.length > 0) {
			throw new SwitchboardError('not-found', `The list of installed abilities does not show ${step.name}.`, {
				nextStep: 'Run the command again.',
			});
		}

		return record;
	}

	/** Looks up a change in a list that was read after it; code also in the source. */
	async #look(step: Step, list: ResourceList<DecodedRecord>, done: StepResult): Promise<Finding<Step, StepResult>> {
		if (step.kind === 'create') {
			return findCreated(step, list as ResourceList<Ability>, done);
		}

		if (step.kind !== 'release') {
			return this.#find(step, list);
		}

		const seen = list.records.find(({id}) => id === step.record.id) as Ability | undefined;
		return seen === undefined
			? missingFrom(list, cleanName(step.name))
			: step.isDraft
				? findDrafted(step, seen, done)
				: findReleased(this.#context, this.#service, step, seen, done);
	}

	#find(step: Step, list: ResourceList<DecodedRecord>): Finding<Step, StepResult> {
		const done = {isChanged: true};
		if (step.kind === 'install') {
			// An ability that is in the list now and was not before is installed.
			const added = (list.records as readonly InstalledAbility[]).filter(({id}) => !this.#installedBefore.has(id));
			return installedLookup(added)(step.record) === undefined
				? list.isComplete && absenceCheck(added)({...step.record, isInstalled: undefined})
					? {seen: step}
					: undefined
				: {result: done};
		}

		const id = step.kind === 'set' ? this.#recordOf(step).id : step.record!.id;
		const record = (list.records as ReadonlyArray<Records[Resource]>).find(each => each.id === id);
		if (step.kind === 'uninstall' || step.kind === 'delete') {
			return record === undefined ? (list.isComplete ? {result: done} : undefined) : {seen: step};
		}

		if (record === undefined) {
			return missingFrom(list, cleanName(step.name));
		}

		const seen = {...step, record} as Step;
		if (step.kind !== 'set') {
			const used = versionInUse(record as Ability);
			return findingOf(used === undefined ? undefined : used === (step as StepOf<'reuse'>).version, done, seen);
		}

		const {resource, record: before} = step;
		const values = this.#resolved.get(step) ?? step.values;
		if (resource === 'installed') {
			this.#newest.set(keyOf(step), record as InstalledAbility);
		}

		const isOvertaken = before !== undefined && isChangedAgain(resource, record, before, values);
		return findingOf(hasValues(resource, record, values), {...done, record}, seen, isOvertaken);
	}
}

/** Returns the key of a step's record: a record that an earlier step creates has no id yet. */
const keyOf = ({name, record}: StepOf<'set'>): string | number => record?.id ?? cleanName(name);
