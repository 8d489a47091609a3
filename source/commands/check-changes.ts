import {setTimeout as delay} from 'node:timers/promises';
import type {Finding, NotDone, Noticed} from '../changes/send-changes.ts';
import type {ResourceList} from '../client/client.ts';
import type {ReleaseAdvice} from '../client/release-source.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {listNouns} from '../interface/lists.ts';
import {nearIdentity} from '../interface/name-index.ts';
import {cleanName, rawName, type DecodedRecord, type Records, type Resource} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import {isSwitch, setsTimer, type StepResult, type Step, type StepOutcome} from '../state/plan.ts';
import type {Context} from './context.ts';
import {wordFor} from './find-records.ts';
import type {Service} from './with-service.ts';

/*
Some services answer a change with 2xx and do nothing, or something else (`docs/interface.md`). So a command reads the lists concerned once
after all its changes, and once more if they do not show a change. A service that sends versions of its lists needs no check.
*/

/** The longest wait for the service's present state. */
const maximumMilliseconds = 5000;

/** A list may be older than a change. */
const againMilliseconds = 2000;

/** Limits a read after changes: it ends with the command, and must not hold it up for long. */
export function limitRead({readSignal}: Pick<Context, 'readSignal'>): AbortSignal {
	return AbortSignal.any([readSignal, AbortSignal.timeout(maximumMilliseconds)]);
}

/**
Reads the service's present state, after writes without an answer. Returns `undefined` if it cannot be read within the rest of `--timeout`
(at most 5 s), or if a signal has ended the command, which then sends no new request.
*/
export async function readAfterwards<Result>(
	context: Context,
	read: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
	context.showProgress('No answer came; looking for the outcome …');
	return read(limitRead(context)).catch(() => undefined);
}

const effects: Readonly<Partial<Record<Step['kind'], 'adds' | 'removes'>>> = {
	create: 'adds',
	install: 'adds',
	uninstall: 'removes',
	delete: 'removes',
};

/** The name before a change, and the new name. */
const nearNames = (step: Step): readonly string[] =>
	[step.name, step.kind === 'set' && step.resource !== 'installed' ? (step.values.name ?? step.name) : step.name].map(name =>
		nearIdentity(name),
	);

/**
Finds the records that appeared with nearly the name of a changed record, and those that disappeared, in a list from before and after the
changes.
*/
function compareNames(
	before: ResourceList<DecodedRecord> | undefined,
	after: ResourceList<DecodedRecord>,
	changed: readonly Step[],
): readonly Noticed[] {
	if (before === undefined || !before.isComplete || !after.isComplete) {
		return [];
	}

	const added = new Set(changed.filter(({kind}) => effects[kind] === 'adds').map(({name}) => name));
	const removed = new Set(changed.filter(({kind}) => effects[kind] === 'removes').map(({name}) => nearIdentity(name)));
	const near = new Set(changed.flatMap(step => nearNames(step)));
	const known = new Set(before.records.map(({id}) => id));
	const found = new Map(after.records.map(record => [record.id, record]));
	const isInstalled = (record: DecodedRecord | undefined): boolean | undefined =>
		record !== undefined && 'isInstalled' in record ? (record as Records['abilities']).isInstalled : undefined;
	const isGone = (record: DecodedRecord): boolean =>
		!found.has(record.id) || (isInstalled(record) === true && isInstalled(found.get(record.id)) === false);
	const noticed = (kind: Noticed['kind'], record: DecodedRecord): Noticed => ({kind, name: rawName(record), id: record.id});
	return [
		...after.records
			.filter(record => !known.has(record.id) && near.has(nearIdentity(record.name)) && !added.has(rawName(record)))
			.map(record => noticed('appeared', record)),
		...before.records
			.filter(record => isGone(record) && !removed.has(nearIdentity(record.name)))
			.map(record => noticed('disappeared', record)),
	];
}

type Look = (step: Step, list: ResourceList<DecodedRecord>, done: StepResult) => Promise<Finding<Step, StepResult>>;

/** Checks the effect of changes: create it before the first one is sent. */
export class EffectCheck {
	readonly #context: Context;
	readonly #service: Service;
	readonly #isPlan: boolean | undefined;
	readonly #look: Look;
	readonly #before: ReturnType<Service['lists']>;
	/** The changes that were answered with 2xx. */
	readonly #expected = new Map<Step, StepResult>();
	readonly #lists = new Map<Resource, ResourceList<DecodedRecord>>();
	readonly #unread = new Set<Resource>();
	/** The lists that were already read after the changes, for another reason. */
	readonly #fresh = new Set<Resource>();

	constructor(context: Context, service: Service, isPlan: boolean | undefined, look: Look) {
		this.#context = context;
		this.#service = service;
		this.#isPlan = isPlan;
		this.#look = look;
		this.#before = service.lists();
	}

	/** Expects a change that was answered with 2xx to be shown by a list. */
	expect(step: Step, done: StepResult): void {
		this.#expected.set(step, done);
	}

	/** Takes a list that was read after all changes. */
	know(resource: Resource, list: ResourceList<DecodedRecord>): void {
		this.#lists.set(resource, list);
		this.#fresh.add(resource);
	}

	/** Reads the lists, and returns the outcomes as they show them. An outcome that no list shows stays as it was answered. */
	async settle(outcomes: readonly StepOutcome[]): Promise<readonly StepOutcome[]> {
		if (this.#expected.size === 0 || this.#isBelieved()) {
			return outcomes;
		}

		const {note} = this.#context;
		const undone = await this.#checkAll();
		if (this.#isBelieved()) {
			return outcomes;
		}

		// Records that were missing from the start are reported as failures.
		const gone = outcomes.filter(outcome => 'error' in outcome && outcome.error.kind === 'not-found').map(({item}) => item.name);
		const beside = this.#notice(new Set(gone));
		for (const resource of this.#unread) {
			note(`Not checked whether it took effect: the list of ${listNouns[resource]} could not be read.`, 'warning');
		}

		return outcomes.map(outcome => {
			const {item} = outcome;
			const found = undone.get(item);
			const noticed = beside.get(item);
			const told = {...outcome, ...(noticed !== undefined && {noticed})};
			if (found?.isOvertaken) {
				note(`${cleanName(item.name)} was changed again since: the list shows something else.`, 'warning');
			}

			const finding = found?.isOvertaken ? undefined : found;
			if (finding === undefined) {
				return told;
			}

			const {seen, sentence = `${wordsOf(item, this.#isPlan)[0]}.`} = finding;
			const error = new SwitchboardError('no-effect', `The service accepted the change, but ${sentence}`, {nextStep: nextStepOf(item)});
			return {item, seen, error, ...(noticed !== undefined && {noticed})};
		});
	}

	#isBelieved(): boolean {
		return Object.values(this.#service.lists()).some(list => list?.version !== undefined);
	}

	async #checkAll(): Promise<ReadonlyMap<Step, NonNullable<NotDone<Step>>>> {
		const undone = await this.#findUndone(this.#expected.keys());
		if (undone.size === 0) {
			return undone;
		}

		try {
			await delay(againMilliseconds, undefined, {signal: this.#context.readSignal});
		} catch {
			for (const step of undone.keys()) {
				this.#unread.add(listOf(step));
			}

			return new Map();
		}

		return this.#findUndone(undone.keys());
	}

	/** Reads the lists that show these steps, and returns the steps that were not done. */
	async #findUndone(steps: Iterable<Step>): Promise<ReadonlyMap<Step, NonNullable<NotDone<Step>>>> {
		const undone = new Map<Step, NonNullable<NotDone<Step>>>();
		for (const [resource, same] of Map.groupBy(steps, step => listOf(step))) {
			const list = await this.#read(resource);
			for (const step of list === undefined || this.#isBelieved() ? [] : same) {
				const finding = await this.#look(step, list!, this.#expected.get(step)!);
				if (finding !== undefined && !('result' in finding)) {
					undone.set(step, finding);
				}
			}
		}

		return undone;
	}

	async #read(resource: Resource): Promise<ResourceList<DecodedRecord> | undefined> {
		if (this.#fresh.delete(resource)) {
			return this.#lists.get(resource);
		}

		try {
			this.#context.showProgress(`Checking the list of ${listNouns[resource]} …`);
			const list = await this.#service.client.list(resource, limitRead(this.#context));
			this.#lists.set(resource, list);
			return list;
		} catch {
			this.#unread.add(resource);
			return undefined;
		}
	}

	/**
	Reports the records that appeared and disappeared, and returns them by the related step.

	@param told - the records that are already reported as gone.
	*/
	#notice(told: ReadonlySet<string>): ReadonlyMap<Step, readonly Noticed[]> {
		const beside = new Map<Step, readonly Noticed[]>();
		const steps = [...this.#expected.keys()];
		for (const [resource, after] of this.#lists) {
			const noticed = resource === 'agents' ? [] : compareNames(this.#before[resource], after, steps);
			for (const each of noticed.filter(({name}) => !told.has(name))) {
				const step = steps.find(one => nearNames(one).includes(nearIdentity(each.name))) ?? steps[0]!;
				const name = `${cleanName(each.name)} (${each.id})`;
				beside.set(step, [...(beside.get(step) ?? []), each]);
				this.#context.note(
					each.kind === 'appeared'
						? `Warning: ${name} has appeared in the list of ${listNouns[resource]}, with nearly the name of a changed record.`
						: `Warning: ${name} is no longer ${resource === 'installed' || after.records.some(({id}) => id === each.id) ? 'installed' : `in the list of ${listNouns[resource]}`}.`,
					'warning',
				);
			}
		}

		return beside;
	}
}

/** Returns the list that shows a change. */
export function listOf(step: Step): Resource {
	return step.kind === 'set' ? step.resource : step.kind === 'install' || step.kind === 'uninstall' ? 'installed' : 'abilities';
}

export const verbs = {create: 'created', install: 'installed', uninstall: 'uninstalled', delete: 'deleted'} as const;

/**
Returns the words about a step's record: that the change has not arrived, and that it has. The second is left out for code, which is looked
up when it is sent.
*/
export function wordsOf(step: Step, isPlan = false): readonly [notYet: string, arrived: string] {
	const [notYet, arrived] =
		step.kind === 'create'
			? ['is not in the list of abilities', '']
			: step.kind === 'release'
				? [step.isDraft ? 'has no draft' : 'does not have the new code', '']
				: step.kind === 'reuse'
					? [`does not use version ${step.version}`, `uses version ${step.version}`]
					: isPlan
						? ['has not changed', 'has changed']
						: step.kind !== 'set'
							? [`is not ${verbs[step.kind]}`, `is ${verbs[step.kind]}`]
							: isSwitch(step)
								? [`is not ${stateWord(step.values.enabled)}`, `is ${stateWord(step.values.enabled)} now`]
								: ['has not changed', 'was changed'];
	const name = cleanName(step.name);
	return [`${name} ${notYet}`, `${name} ${arrived}`];
}

/** The next steps about releases, in the words of commands. */
export const releaseAdvice: ReleaseAdvice = {
	replaceElsewhere: 'Replace it in the dashboard.',
	install: ability => `Install it first: switchboard install ${wordFor(ability)}`,
	check: ability => `Check with: switchboard abilities diff ${wordFor(ability)} FOLDER`,
};

/** Returns the next step if the outcome of a change is not known, or if it had no effect. */
export function nextStepOf(step: Step): string {
	return (
		step.advice ??
		(step.kind !== 'release'
			? `Check with: switchboard ${setsTimer(step) ? 'timers' : listOf(step)}`
			: step.isDraft
				? `Look at its versions: switchboard abilities versions ${shellWord(cleanName(step.name))}`
				: releaseAdvice.check(step.record))
	);
}
