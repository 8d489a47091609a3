import type {AbilityChanges, AgentChanges} from '../client/client.ts';
import {unshownFields} from '../client/edit-ability.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {entryName, type HistoryEntry} from '../interface/history.ts';
import {refuseUneditablePhrases} from '../interface/installed-lookup.ts';
import type {JsonValue} from '../interface/json.ts';
import {goneText} from '../interface/lists.ts';
import {findCaseVariants, findNamesake, indexNames, listCandidates} from '../interface/name-index.ts';
import {cleanName, type Ability, type Agent, type InstalledAbility, type Resource} from '../interface/records.ts';
import {hasAbilityChanges, hasPhrases, isSameText} from './record-changes.ts';

/* Reverting a change of the history: a record that still exists gets its former value again. For the commands and the screens. */

/** Returns what no upload of a deleted ability brings back, such as “its image”. */
export function lossesOf({raw = {}, versions = []}: Partial<Ability>): readonly string[] {
	return [
		...(typeof raw['image_file'] === 'string' && raw['image_file'] !== '' ? ['its image'] : []),
		...(versions.length > 1 ? ['its earlier versions'] : []),
		...(raw['is_published'] === true ? ['its publication'] : []),
	];
}

/** As a history says it of a deletion, which does not tell what the ability had. */
export const deletionLosses = 'Its image, its earlier versions and its publication do not come back.';

const isText = (value: JsonValue): value is string => typeof value === 'string';

const isTexts = (value: JsonValue): value is readonly string[] => Array.isArray(value) && value.every(each => typeof each === 'string');

/** The fields that can be brought back by kind, and the values that they can have. */
const revertible: Readonly<Partial<Record<HistoryEntry['kind'], Readonly<Record<string, (value: JsonValue) => boolean>>>>> = {
	installed: {enabled: value => typeof value === 'boolean', triggers: isTexts},
	agent: {name: value => isText(value) && value !== '', prompt: isText, abilities: isTexts},
	ability: {
		name: value => isText(value) && value !== '',
		category: value => isText(value) && value !== '',
		description: isText,
		triggers: isTexts,
	},
};

/** True for a change of a field that can be brought back, if its former value is known. */
export const isRevertible = ({kind, field}: HistoryEntry): boolean => Object.hasOwn(revertible[kind] ?? {}, field);

/** The change that brings back what was, as it is sent. */
type Reversal =
	| {readonly kind: 'switch'; readonly record: InstalledAbility; readonly isEnabled: boolean}
	| {readonly kind: 'phrases'; readonly record: InstalledAbility; readonly phrases: readonly string[]}
	| {readonly kind: 'agent'; readonly record: Agent; readonly changes: AgentChanges}
	| {readonly kind: 'ability'; readonly record: Ability; readonly changes: AbilityChanges};

export type PlannedReversal = {
	/** `undefined` if the record is as it was before: nothing is left to do. */
	readonly reversal: Reversal | undefined;
	/** The value now, in the words of the history; null if the service does not show it. */
	readonly present: JsonValue;
	/** True if the record is no longer as the change made it: another one came after it. */
	readonly isOvertaken: boolean;
	/** The abilities that an agent had, and that no longer exist. */
	readonly gone: readonly string[];
};

export type KnownRecords = {
	readonly installed: readonly InstalledAbility[];
	readonly agents: readonly Agent[];
	readonly abilities: readonly Ability[];
};

/** The lists that are read before a change is reverted. */
export const listsToRevert = ({kind, field}: HistoryEntry): readonly Resource[] =>
	kind === 'installed' ? ['installed'] : kind === 'ability' ? ['abilities'] : field === 'abilities' ? ['agents', 'abilities'] : ['agents'];

const planTies = (agent: Agent, {from, to}: HistoryEntry, abilities: readonly Ability[]): PlannedReversal => {
	const index = indexNames(abilities);
	const idsOf = (names: readonly string[]): ReadonlyArray<number | string> => {
		const variants = findCaseVariants(names);
		return names.map(name => {
			const found = index.find(name, variants.has(name));
			if (found.length > 1) {
				throw new SwitchboardError('ambiguous', `Several abilities are named “${cleanName(name)}”: ${listCandidates(found)}.`);
			}

			return found[0]?.id ?? cleanName(name);
		});
	};

	const [before, after] = [idsOf(from as readonly string[]), idsOf(isTexts(to) ? to : [])];
	const abilityIds = before.filter(id => typeof id === 'number');
	const has = (ids: ReadonlyArray<number | string>): boolean =>
		agent.abilityIds !== undefined && new Set<number | string>(agent.abilityIds).symmetricDifference(new Set(ids)).size === 0;
	const namesById = new Map(abilities.map(({id, name}) => [id, name]));
	return {
		present: agent.abilityIds?.map(id => namesById.get(id) ?? `#${id}`) ?? null,
		reversal: has(abilityIds) ? undefined : {kind: 'agent', record: agent, changes: {abilityIds}},
		isOvertaken: !has(after.filter(id => typeof id === 'number')),
		gone: (from as readonly string[]).filter((_, position) => typeof before[position] === 'string').map(name => cleanName(name)),
	};
};

const planAgent = (agent: Agent, entry: HistoryEntry, {agents, abilities}: KnownRecords): PlannedReversal => {
	const {field, from, to} = entry;
	if (field === 'abilities') {
		return planTies(agent, entry, abilities);
	}

	const wanted = from as string;
	const namesake = field === 'name' ? findNamesake(agents, agent, wanted) : undefined;
	if (namesake !== undefined) {
		throw new SwitchboardError('conflict', `The name “${cleanName(wanted)}” is taken by agent ${namesake.id} now.`);
	}

	const present = agent.raw[field === 'name' ? 'name' : 'description'];
	return {
		present: present ?? null,
		reversal: isSameText(present, wanted)
			? undefined
			: {kind: 'agent', record: agent, changes: field === 'name' ? {name: wanted} : {prompt: wanted}},
		isOvertaken: !(isText(to) && isSameText(present, to)),
		gone: [],
	};
};

const planInstalled = (record: InstalledAbility, {field, from, to}: HistoryEntry): PlannedReversal => {
	if (field === 'enabled') {
		const isEnabled = from === true;
		return {
			present: record.isEnabled ?? null,
			reversal: record.isEnabled === isEnabled ? undefined : {kind: 'switch', record, isEnabled},
			isOvertaken: record.isEnabled !== to,
			gone: [],
		};
	}

	refuseUneditablePhrases(record);
	const phrases = from as readonly string[];
	return {
		present: record.triggerPhrases,
		reversal: hasPhrases(record, phrases) === true ? undefined : {kind: 'phrases', record, phrases},
		isOvertaken: !(isTexts(to) && hasPhrases(record, to) === true),
		gone: [],
	};
};

const abilityChange = (field: string, value: JsonValue): AbilityChanges =>
	field === 'triggers' ? {triggerPhrases: value as readonly string[]} : {[field]: value};

const planAbility = (record: Ability, {field, from, to}: HistoryEntry, {abilities}: KnownRecords): PlannedReversal => {
	const changes = abilityChange(field, from);
	const namesake = changes.name === undefined ? undefined : findNamesake(abilities, record, changes.name);
	if (namesake !== undefined) {
		throw new SwitchboardError('conflict', `The name “${cleanName(changes.name!)}” is taken by ability ${namesake.id} now.`);
	}

	const unshown = unshownFields(record, changes);
	if (unshown.length > 0) {
		throw new SwitchboardError('refused', `The service does not show ${unshown.join(', ')} of ${record.name}, which would be lost.`, {
			nextStep: `Edit it all the same: switchboard abilities edit ${record.id} --yes`,
		});
	}

	return {
		present: field === 'triggers' ? record.triggerPhrases : (record.raw[field] ?? null),
		reversal: hasAbilityChanges(record, changes) === true ? undefined : {kind: 'ability', record, changes},
		isOvertaken: !(revertible.ability![field]!(to) && hasAbilityChanges(record, abilityChange(field, to)) === true),
		gone: [],
	};
};

/**
How a change is reverted, from the records as they are now.

@param entry - read alone, with its whole texts.
@throws SwitchboardError `refused` if it cannot be, `not-found` if its record is gone, and `conflict` or `ambiguous` if names are in the way.
*/
export const planReversal = (entry: HistoryEntry, records: KnownRecords): PlannedReversal => {
	const {kind, field, from, record: id} = entry;
	const name = entryName(entry);
	if (!isRevertible(entry)) {
		throw new SwitchboardError('refused', `This change of ${name} cannot be reverted.`);
	}

	if (!revertible[kind]![field]!(from)) {
		throw new SwitchboardError('refused', `This change cannot be reverted: it is not known what ${name} was before.`);
	}

	if (kind === 'installed') {
		const record = records.installed.find(each => each.id === id);
		if (record !== undefined) {
			return planInstalled(record, entry);
		}
	} else if (kind === 'ability') {
		const ability = records.abilities.find(each => each.id === id);
		if (ability !== undefined) {
			return planAbility(ability, entry, records);
		}
	} else {
		const agent = records.agents.find(each => each.id === id);
		if (agent !== undefined) {
			return planAgent(agent, entry, records);
		}
	}

	throw new SwitchboardError('not-found', goneText(kind === 'installed' ? 'installed' : kind === 'ability' ? 'abilities' : 'agents', name));
};

/** The entries of the same field that came after one, the newest first, of entries that were read since. */
export const laterEntries = ({id, kind, record, field}: HistoryEntry, entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
	entries.filter(entry => entry.id > id && entry.kind === kind && entry.record === record && entry.field === field);
