import {useMemo, useSyncExternalStore} from 'react';
import {compareRecord} from '../../changes/compare-lists.ts';
import {findField, refuseUneditable, type Values} from '../../changes/fields.ts';
import type {Group} from '../../changes/log-lines.ts';
import type {Outcome} from '../../changes/queue.ts';
import type {AbilityChanges, AgentChanges} from '../../client/client.ts';
import {unshownFields} from '../../client/abilities.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../../interface/errors.ts';
import type {JsonValue} from '../../interface/json.ts';
import {findNamesake} from '../../interface/name-index.ts';
import type {Ability, Agent, Records, Resource} from '../../interface/records.ts';
import {abilityCountText, changedText, phrasesText, quotedList} from '../state/edit-words.ts';
import {changeWords} from './lately.ts';
import {askToPutBack, planGroup} from './overtaken.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import type {UndoEntry, ReversibleStep} from './undo-history.ts';
import {readListsAgain} from './writes.ts';

/* Saving edits from a form or an editor: through the queue, checked against the record that the person saw, and undone like any change. */

/** Tells whether somebody else changed a record since the person saw it; false for a conflict that the service reports. */
export function isEditConflict({kind, status}: SwitchboardError): boolean {
	return kind === 'conflict' && status === undefined;
}

/**
Returns the text of a field as the service returned it. This text is edited, compared and sent back, never the cleaned text of the screen.
*/
export function originalText<R extends Resource>(resource: R, record: Records[R], name: keyof Values): string | undefined {
	const value = originalValue(resource, record, name);
	return typeof value === 'string' ? value : undefined;
}

/**
Returns the value of a field as the service returned it; `undefined` if the service does not show it. For abilities, null is an empty text.
*/
function originalValue<R extends Resource>(resource: R, record: Records[R], name: string): JsonValue | undefined {
	const field = findField(resource, name);
	const value = field?.read(record);
	return value === null ? (resource === 'agents' ? undefined : field!.type === 'list' ? [] : '') : value;
}

/** The other lists that show a change of a record. */
const alsoShownBy: Readonly<Record<Resource, readonly Resource[]>> = {
	agents: [],
	abilities: ['installed'],
	installed: ['installed', 'abilities'],
};

/** A change to one record, made from the version that a person saw. */
type Save<R extends Resource> = {readonly resource: R; readonly seen: Records[R]; readonly values: Values};

type TakingBack = {readonly groups: readonly string[]; readonly mayLose?: boolean; readonly isRedo?: boolean};

/** Returns a save as a step of undo or redo. */
export function stepOf<R extends Resource>(session: ServiceSession, save: Save<R>, how: TakingBack): ReversibleStep {
	return {
		what: `the ${changedText(save.resource, save.values)} of ${save.seen.name}`,
		async takeBack() {
			const group = session.changes.newGroup(...how.groups);
			const saved = await saveBack(session, save, group, how);
			return {
				text: undoneText(save.resource, saved.after, save.values),
				reverse:
					saved.before === saved.after
						? undefined
						: undoStepOf(session, save, saved, {...how, groups: [group.group], isRedo: how.isRedo !== true}),
			};
		},
	};
}

type Saved<R extends Resource> = {readonly before: Records[R]; readonly after: Records[R]};

/** Restores the former values; an undo asks if somebody else has changed the same field since. */
async function saveBack<R extends Resource>(
	session: ServiceSession,
	save: Save<R>,
	group: Group,
	{groups, mayLose, isRedo = false}: TakingBack,
): Promise<Saved<R>> {
	try {
		return await runSave(session, save, group, undefined, mayLose);
	} catch (error) {
		const undos =
			isRedo || !isEditConflict(toSwitchboardError(error)) ? [] : await planGroup(session, await session.changes.log.entriesOf(groups));
		const back = undos.filter(({planned}) => planned?.reversal !== undefined);
		if (back.length === 0) {
			throw error;
		}

		if (!(await askToPutBack(session.changes, session.account.timeZone, {undos, back}))) {
			throw new SwitchboardError('cancelled', 'Nothing was put back.', {cause: error});
		}

		return runSave(session, {...save, seen: back[0]!.planned!.reversal!.seen as Records[R]}, group, undefined, mayLose);
	}
}

/**
Saves as `saveChecked` does, without an entry for undo.

@param group - of the change in the log.
@param done - the entry for undo, unless this is an undo or a redo.
@param mayLose - true once the person has agreed to possible losses.
*/
async function runSave<R extends Resource>(
	session: ServiceSession,
	save: Save<R>,
	group: Group,
	done?: UndoEntry,
	mayLose = false,
): Promise<Saved<R>> {
	const {resource, seen, values} = save;
	try {
		const outcome = await session.changes.queue.save({
			resource,
			id: seen.id,
			values,
			seen,
			group,
			check(record) {
				refuseUneditable(resource, record as Records[R], values);
				refuseTakenName(session, save);
				if (resource === 'abilities' && !mayLose) {
					refuseLoss(record as Ability, values as AbilityChanges);
				}
			},
		});
		throwFailure(outcome);
		const saved = {before: outcome.before as Records[R], after: outcome.record as Records[R]};
		const names = new Map(session.records.seen('abilities')?.map(({id, name}) => [id, name]));
		const changes = compareRecord(resource, saved.before, saved.after, id => names.get(id) ?? `#${id}`);
		session.changes.lately.add('you', changeWords(changes, session.account.timeZone), {done});
		session.changes.whoChanged.forget(resource, [seen.id]);
		void readListsAgain(session, alsoShownBy[resource]);
		return saved;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		const agreement = error.kind === 'not-kept' && !mayLose ? agreementTo(save) : undefined;
		if (
			agreement === undefined ||
			!(await session.changes.confirm({question: agreement.question, details: [error.message], yes: 'change it'}))
		) {
			throw error;
		}

		return runSave(session, {...save, values: agreement.values}, group, done, true);
	}
}

/**
Refuses a name that another record has: two records with one name could not be told apart by it, and no state file could have both. The list
is fresh.
*/
function refuseTakenName(session: ServiceSession, {resource, seen, values: {name}}: Save<Resource>): void {
	const other = typeof name === 'string' ? findNamesake(session.records.seen(resource) ?? [], seen, name) : undefined;
	if (other !== undefined) {
		const kind = resource === 'agents' ? 'agent' : 'ability';
		throw new SwitchboardError('refused', `The name “${other.name}” is taken by ${kind} ${other.id}.`, {field: 'name'});
	}
}

function refuseLoss(ability: Ability, changes: AbilityChanges): void {
	const unshown = unshownFields(ability, changes);
	if (unshown.length > 0) {
		throw new SwitchboardError('not-kept', `The service does not show ${quotedList(unshown)} of ${ability.name}, which may be lost.`);
	}
}

/** @throws SwitchboardError the reason why it was not saved, or with an unknown outcome if the change may still arrive. */
function throwFailure({error, isOutcomeUnknown}: Outcome): void {
	if (error !== undefined) {
		throw error.isOutcomeUnknown && !isOutcomeUnknown
			? unknownOutcomeError(error, 'The list does not show it, but the change may still arrive.', error.nextStep)
			: error;
	}
}

/** Returns the question about a change with possible losses, and the values that are sent after a yes. */
const agreementTo = ({resource, seen: {name}, values}: Save<Resource>) =>
	resource === 'agents'
		? {question: `Change the prompt of ${name} anyway?`, values: {...values, canLosePrompt: true}}
		: {question: `Change ${name} anyway?`, values};

/** Returns a text such as “the agent is called Hearth again.” */
function undoneText(resource: Resource, {name}: {readonly name: string}, values: Values): string {
	const {name: newName, prompt, abilities, triggers, timer} = values;
	const fields = Object.keys(values);
	if (typeof newName === 'string') {
		const rest = fields.length > 1 ? ', and the rest is as it was' : '';
		return `the ${resource === 'agents' ? 'agent' : 'ability'} is called ${newName} again${rest}.`;
	}

	if (resource === 'installed' && fields.length === 1 && Array.isArray(triggers)) {
		return `${name} ${phrasesText(triggers as readonly string[])} again.`;
	}

	if (timer !== undefined) {
		return timer === null ? `the timer of ${name} is cancelled.` : `${name} has its former timer again.`;
	}

	return Array.isArray(abilities)
		? `${name} has ${abilityCountText(abilities.length)} again.`
		: `${name} has its ${prompt === undefined ? 'former' : 'previous'} ${changedText(resource, values)} again.`;
}

/** `undefined` if the service did not show the old value. */
function undoStepOf<R extends Resource>(
	session: ServiceSession,
	{resource, values}: Save<R>,
	{before, after}: Saved<R>,
	how: TakingBack,
): ReversibleStep | undefined {
	const fields = Object.keys(values).filter(field => findField(resource, field) !== undefined);
	const former = originalOf(resource, before, fields);
	const back = {resource, seen: after, values: former};
	return Object.values(former).includes(undefined) ? undefined : stepOf(session, back, how);
}

const originalOf = <R extends Resource>(resource: R, record: Records[R], fields: readonly string[]): Values =>
	Object.fromEntries(fields.map(field => [field, originalValue(resource, record, field)]));

/**
Saves a change to a record, unless somebody else has changed the same field since the person saw it. If the answer is lost, the list shows
whether it was saved. It can be undone and redone, with that check.

@param mayLose - true once the person has agreed to lose fields that the list does not show.
@returns the record as the service has it now.
@throws SwitchboardError `conflict` if somebody else changed it; the list shows the record as it is now.
*/
export async function saveChecked<R extends Resource>(session: ServiceSession, save: Save<R>, mayLose = false): Promise<Records[R]> {
	const what = `the ${changedText(save.resource, save.values)} of ${save.seen.name}`;
	const group = session.changes.newGroup();
	const endEntry = session.changes.undoHistory.begin(`Still saving ${what}.`);
	const done = session.changes.undoHistory.newest();
	try {
		const saved = await runSave(session, save, group, done, mayLose);
		endEntry(
			saved.before === saved.after
				? undefined
				: (undoStepOf(session, save, saved, {groups: [group.group], mayLose}) ?? {
						refusal: `Cannot undo: the service did not show ${what} before.`,
					}),
		);
		return saved.after;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		endEntry(error.isOutcomeUnknown ? {refusal: `Cannot undo: it is not known whether the service saved ${what}.`} : undefined);
		throw error;
	}
}

/** Ties more abilities to an agent, as the newest list shows it; it cannot be undone by itself. Throws as `saveChecked` does. */
export async function tieToAgent(session: ServiceSession, agent: Agent, abilityIds: readonly number[], group: Group): Promise<void> {
	const abilities = [...new Set([...agent.abilityIds!, ...abilityIds])];
	await runSave(session, {resource: 'agents', seen: agent, values: {abilities}}, group);
}

const noEdits: ReadonlyMap<number, AgentChanges> = new Map();

/** Returns the writes behind the screens of an agent: its name, its prompt and its abilities. */
export function useEditAgent() {
	const session = useServiceSession();
	const {queue} = session.changes;
	const [names, prompts, ties] = (['name', 'prompt', 'abilities'] as const).map(field =>
		useSyncExternalStore(queue.subscribe, () => queue.intents('agents', field)),
	);
	const pending = useMemo(() => {
		const intents = [names!, prompts!, ties!].flatMap(each => [...each.values()]);
		return intents.length === 0 ? noEdits : new Map(intents.map(({id, values}) => [id, values as AgentChanges]));
	}, [names, prompts, ties]);
	return {
		pending,
		/** The current value, for a key that comes before the next frame. */
		isPending: (id: number): boolean => queue.isPending('agents', id),
		/** Saves changes to an agent that was `seen`, and returns the agent's present record; throws as `saveChecked` does. */
		edit: async (seen: Agent, changes: AgentChanges): Promise<Agent> => saveChecked(session, {resource: 'agents', seen, values: changes}),
	};
}

/** Tells whether a field other than the state is being saved for a record. */
export function useIsSaving(resource: Resource, id: number): boolean {
	const {queue} = useServiceSession().changes;
	return useSyncExternalStore(queue.subscribe, () => queue.isPending(resource, id));
}
