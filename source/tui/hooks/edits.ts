import process from 'node:process';
import {useMutationState} from '@tanstack/react-query';
import type {AgentChanges} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {counted} from '../../interface/format-count.ts';
import {isSameJson, type JsonObject} from '../../interface/json.ts';
import {findNamesake} from '../../interface/name-index.ts';
import {decodeRecord, hasMorePhrases, rawPhrases, type Agent, type InstalledAbility} from '../../interface/records.ts';
import {when} from '../observable.ts';
import {runSave, saveChecked, stepOf, type CheckedSave, type Conflict} from './checked-save.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import type {ReversibleStep} from './undo-history.ts';

const subjects = {name: 'the name', prompt: 'the prompt', abilities: 'the abilities'} as const satisfies Readonly<
	Partial<Record<keyof AgentChanges, string>>
>;

type Field = keyof typeof subjects;

const fields = Object.keys(subjects) as readonly Field[];

/**
The editable fields of an agent, as the service returned them: these are edited, compared and sent back, never the cleaned
text of the screen. A field is `undefined` if the service does not show it.
*/
export const originalOf = ({raw, abilityIds}: Agent): AgentChanges => ({
	name: typeof raw['name'] === 'string' ? raw['name'] : undefined,
	prompt: typeof raw['description'] === 'string' ? raw['description'] : undefined,
	abilities: abilityIds,
});

const isSame = (first: AgentChanges[Field], second: AgentChanges[Field]): boolean =>
	Array.isArray(first) && Array.isArray(second) ? new Set(first).symmetricDifference(new Set(second)).size === 0 : first === second;

const changedFields = (changes: AgentChanges): readonly Field[] => fields.filter(field => changes[field] !== undefined);

/** True if an agent already has the changes; `undefined` if the service does not show all changed fields. */
export const isAsChanged = (agent: Agent, changes: AgentChanges): boolean | undefined => {
	const original = originalOf(agent);
	const changed = changedFields(changes);
	return changed.some(field => original[field] === undefined) ? undefined : changed.every(field => isSame(original[field], changes[field]));
};

/** The subject of changes, such as “the name of Hearth”. */
const subjectOf = ({name}: Agent, changes: AgentChanges): string =>
	`${changedFields(changes)
		.map(field => subjects[field])
		.join(' and ')} of ${name}`;

/** Finds a changed field that somebody else changed since the agent was seen. */
const conflictBetween = (seen: Agent, newest: Agent, changes: AgentChanges): Conflict | undefined => {
	const before = originalOf(seen);
	const now = originalOf(newest);
	// A value that the service does not show may be the one that was saved last and has been on the screen since.
	const field = changedFields(changes).find(name => now[name] !== undefined && !isSame(before[name], now[name]));
	return field && {field, message: `Somebody else changed ${subjects[field]} of ${newest.name} in the meantime.`};
};

/** The former values of an agent's changed fields; `undefined` if the service did not show all of it. */
const formerOf = (before: Agent, changes: AgentChanges): AgentChanges | undefined => {
	const original = originalOf(before);
	const former = changedFields(changes).map(field => [field, original[field]] as const);
	return former.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(former);
};

/** Such as “1 ability”. */
export const abilityCountText = (count: number): string =>
	count === 0 ? 'no abilities' : count === 1 ? '1 ability' : `${count} abilities`;

/** Such as “the agent is called Hearth again.” */
const undoneText = ({name: agentName}: Agent, {name, prompt, abilities}: AgentChanges): string => {
	if (name !== undefined) {
		return `the agent is called ${name} again.`;
	}

	return prompt === undefined
		? `${agentName} has ${abilityCountText(abilities?.length ?? 0)} again.`
		: `${agentName} has its previous prompt again.`;
};

/**
The agent after an edit, as the list will show it: if the list shows no ties, those that were just sent are hidden too. The
next edit would take them for all ties.
*/
const asListed = (edited: Agent, listed: Agent): Agent => {
	if (listed.abilityIds !== undefined) {
		return edited;
	}

	const {matching_capabilities: _, ...raw} = edited.raw;
	return decodeRecord('agents', raw) ?? edited;
};

type Edit = {readonly id: number; readonly changes: AgentChanges};

/** Two agents of one name could not be told apart by it, and no state file can have both. The list is fresh. */
const refuseTakenName = (session: ServiceSession, agent: Agent, {name}: AgentChanges): void => {
	const other = name === undefined ? undefined : findNamesake(session.records.seen('agents') ?? [], agent, name);
	if (other !== undefined) {
		throw new SwitchboardError('refused', `The name “${other.name}” is taken by agent ${other.id}.`, {field: 'name'});
	}
};

/** A change of an agent as data; `undefined` for a prompt where none is to be kept. Abilities have their names too: the service may give their ids to others. */
const keptAgent = (session: ServiceSession, {id, name}: Agent, from: AgentChanges, to: AgentChanges): JsonObject | undefined => {
	if (to.prompt !== undefined && process.env['SWITCHBOARD_JOURNAL'] === 'off') {
		return undefined;
	}

	const abilities = session.records.seen('abilities') ?? [];
	const dataOf = ({name: itsName, prompt, abilities: abilityIds}: AgentChanges): JsonObject => ({
		...(itsName !== undefined && {name: itsName}),
		...(prompt !== undefined && {prompt}),
		...(abilityIds !== undefined && {abilityIds}),
	});
	return {
		kind: 'agent',
		id,
		name,
		from: dataOf(from),
		to: dataOf(to),
		abilities: abilities.filter(ability => from.abilities?.includes(ability.id)).map(ability => [ability.id, ability.name]),
	};
};

const agentSave = (session: ServiceSession, seen: Agent, changes: AgentChanges): CheckedSave<'agents'> => ({
	resource: 'agents',
	id: seen.id,
	name: seen.name,
	what: subjectOf(seen, changes),
	variables: {id: seen.id, changes} satisfies Edit,
	isSaved: agent => isAsChanged(agent, changes),
	findConflict: agent => conflictBetween(seen, agent, changes),
	async send(agent) {
		refuseTakenName(session, agent, changes);
		return asListed(await session.records.client.editAgent(agent, changes), agent);
	},
	reverse(before, after) {
		const former = formerOf(before, changes);
		return (
			former && {
				save: agentSave(session, after, former),
				undoneText: undoneText(before, former),
				kept: keptAgent(session, after, former, changes),
			}
		);
	},
	async insteadAfter({kind, message}) {
		const isAgreed =
			kind === 'not-kept' &&
			(await session.changes.confirm({question: `Change the prompt of ${seen.name} all the same?`, details: [message], yes: 'change it'}));
		return isAgreed ? agentSave(session, seen, {...changes, canLosePrompt: true}) : undefined;
	},
});

/** Ties more abilities to an agent, as the newest list shows it; it cannot be undone by itself. Throws as `saveChecked` does. */
export const tieToAgent = async (session: ServiceSession, agent: Agent, abilityIds: readonly number[]): Promise<void> => {
	await runSave(session, agentSave(session, agent, {abilities: [...new Set([...agent.abilityIds!, ...abilityIds])]}));
};

/** How to change an agent back, as it is now, after a question. */
export const agentStep = (session: ServiceSession, now: Agent, former: AgentChanges): ReversibleStep =>
	stepOf(session, agentSave(session, now, former), undoneText(now, former));

/** The same of trigger phrases. */
export const phrasesStep = (session: ServiceSession, now: InstalledAbility, former: readonly string[]): ReversibleStep =>
	stepOf(session, phrasesSave(session, now, former), `${now.name} ${phrasesText(former)} again.`);

/** The writes behind the screens of an agent: its name, its prompt and its abilities. */
export const useEditAgent = () => {
	const session = useServiceSession();
	const edits = useMutationState(
		{filters: {mutationKey: ['edit-agents'], status: 'pending'}, select: ({state}) => state.variables as Edit},
		session.records.queryClient,
	);
	return {
		/** Changes that are being saved, by the agent's id. */
		pending: new Map(edits.map(({id, changes}) => [id, changes])),
		/** The current value, for a key that comes before the next frame. */
		isPending: (id: number): boolean => session.records.queryClient.isMutating({mutationKey: ['edit-agents', id], exact: true}) > 0,
		/** Saves changes to an agent that was `seen`, and returns it as the service has it now; throws as `saveChecked` does. */
		edit: async (seen: Agent, changes: AgentChanges): Promise<Agent> => saveChecked(session, agentSave(session, seen, changes)),
	};
};

type SeenPhrases = Pick<InstalledAbility, 'id' | 'name' | 'triggerPhrases'>;

/** Switching also sends the phrases, and saving phrases also sends the state: so one waits for the other. */
const whenSwitched = async ({changes: {toggles}}: ServiceSession, id: number): Promise<void> =>
	when(() => !toggles.getIntents().has(id), toggles.subscribe);

const areSame = (first: readonly string[], second: readonly string[]): boolean =>
	first.length === second.length && first.every((phrase, index) => phrase === second[index]);

/** A longer list would take a message more than its line. */
const maximumListLength = 48;

/** Such as: “good morning” and “wake the house”. */
export const quotedList = (phrases: readonly string[]): string => {
	const quoted = phrases.map(phrase => `“${phrase}”`);
	const last = quoted.pop();
	return quoted.length === 0 ? (last ?? '') : `${quoted.join(', ')} and ${last}`;
};

/** The phrases in quotation marks, or how many there are. */
export const phraseListText = (phrases: readonly string[]): string => {
	const list = quotedList(phrases);
	return phrases.length === 0 ? 'no trigger phrases' : list.length > maximumListLength ? counted(phrases.length, 'trigger phrase') : list;
};

/** What follows the name of an ability, such as: listens for “good morning” and “wake the house”. */
export const phrasesText = (phrases: readonly string[]): string =>
	`${phrases.length === 0 ? 'has' : 'listens for'} ${phraseListText(phrases)}`;

const phrasesSave = (session: ServiceSession, seen: SeenPhrases, phrases: readonly string[]): CheckedSave<'installed'> => {
	const {id, name} = seen;
	const what = `the trigger phrases of ${name}`;
	return {
		resource: 'installed',
		id,
		name,
		what,
		shownBy: ['installed', 'abilities'],
		whenReady: async () => whenSwitched(session, id),
		isSaved: ({triggerPhrases}) => areSame(triggerPhrases, phrases),
		findConflict: ({triggerPhrases}) =>
			areSame(triggerPhrases, seen.triggerPhrases)
				? undefined
				: {
						field: 'trigger_words',
						message: `Somebody else changed ${what} in the meantime. They are now: ${triggerPhrases.length === 0 ? 'none' : triggerPhrases.join(', ')}.`,
					},
		send: async record => session.records.client.editPhrases(record, phrases),
		reverse: (before, after) => ({
			save: phrasesSave(session, after, before.triggerPhrases),
			undoneText: `${name} ${phrasesText(before.triggerPhrases)} again.`,
			kept: {kind: 'phrases', id, name, from: before.triggerPhrases, to: phrases},
		}),
	};
};

/** What a PUT replaces besides the state and the phrases, and a new installation begins anew. */
const installedFlags = ['system_capability', 'agent_capability'] as const;

/**
Gives a record that was just installed the state, the phrases and the flags of the one before it, as far as the service shows them.
Somebody else cannot have changed it yet. Throws as `saveChecked` does.
*/
export const restoreInstalled = async (session: ServiceSession, {id, name}: InstalledAbility, former: InstalledAbility): Promise<void> => {
	const wanted = (now: InstalledAbility): InstalledAbility => ({
		...now,
		isEnabled: former.isEnabled ?? now.isEnabled,
		raw: {
			...now.raw,
			...Object.fromEntries(
				installedFlags.flatMap(flag =>
					Object.hasOwn(now.raw, flag) && Object.hasOwn(former.raw, flag) ? [[flag, former.raw[flag]!]] : [],
				),
			),
		},
	});
	const arePhrasesKnown = ({raw}: InstalledAbility): boolean =>
		Object.hasOwn(raw, 'trigger_words') && Object.hasOwn(former.raw, 'trigger_words') && !hasMorePhrases(former.raw);
	await runSave(session, {
		resource: 'installed',
		id,
		name,
		what: `the state and the trigger phrases of ${name}`,
		shownBy: ['abilities'],
		whenReady: async () => whenSwitched(session, id),
		isSaved(now) {
			const {isEnabled, raw} = wanted(now);
			return (
				isEnabled === now.isEnabled &&
				isSameJson(raw, now.raw) &&
				(!arePhrasesKnown(now) || areSame(now.triggerPhrases, former.triggerPhrases))
			);
		},
		findConflict: () => undefined,
		send: async now =>
			arePhrasesKnown(now)
				? session.records.client.editPhrases(wanted(now), rawPhrases(former.raw))
				: session.records.client.setEnabled(wanted(now), wanted(now).isEnabled!),
		reverse: () => undefined,
	});
};

/** The write behind editing trigger phrases. */
export const useEditPhrases = () => {
	const session = useServiceSession();
	return {
		/** Replaces the trigger phrases of an installed ability that was `seen`; throws as `saveChecked` does. */
		async savePhrases(seen: SeenPhrases, phrases: readonly string[]): Promise<void> {
			await saveChecked(session, phrasesSave(session, seen, phrases));
		},
	};
};
