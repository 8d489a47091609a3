import {unshownFields} from '../client/abilities.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {entryName, type HistoryEntry} from '../interface/history.ts';
import type {JsonValue} from '../interface/json.ts';
import {releaseInUse} from '../interface/installed-lookup.ts';
import {goneText} from '../interface/lists.ts';
import {findCaseVariants, findNamesake, indexNames, listCandidates} from '../interface/name-index.ts';
import {cleanName, rawName, type Ability, type Agent, type InstalledAbility, type Records, type Resource} from '../interface/records.ts';
import {decodeTimer, type Timer} from '../interface/timers.ts';
import type {RecordChange} from './compare-lists.ts';
import {canSet, findField, isSameValue, refuseUneditable, resourceOf, type FieldName, type RecordKind} from './fields.ts';
import type {History} from './history.ts';

/* Reverts a change of the history: a record that still exists gets its former value again. The commands and the screens use this. */

/** Returns the parts of a deleted ability that no upload brings back, such as “its image”. */
export function lossesOf({raw = {}, versions = []}: Partial<Ability>): readonly string[] {
	const present = releaseInUse({versions});
	const others = versions.filter(version => version !== present);
	return [
		...(typeof raw['image_file'] === 'string' && raw['image_file'] !== '' ? ['its image'] : []),
		...(versions.length > 1
			? [others.length === 1 && others[0]!.version !== '' ? `version ${others[0]!.version}` : 'its other versions']
			: []),
		...(raw['is_published'] === true ? ['its publication'] : []),
	];
}

/** The losses that a history names for a deletion, as it does not show what the ability had. */
export const deletionLosses = 'Its image, its earlier versions and its publication do not come back.';

/** Tells whether this is a change of a field that can be brought back, if its former value is known. */
export function isRevertible(entry: HistoryEntry): boolean {
	return entry.field !== 'timer' && isUndoable(entry);
}

/** Tells the same for `u` and `undo`, which also bring back a timer. */
export function isUndoable({kind, field}: HistoryEntry): boolean {
	return kind !== 'key' && findField(resourceOf[kind], field)?.isSettable === true;
}

export type PlannedReversal = {
	/** The change that brings the former value back, with abilities as ids; `undefined` if the record has that value already. */
	readonly reversal:
		| (RecordChange & {
				readonly seen: Agent | Ability | InstalledAbility;
				/** The timer to set with a switch. */
				readonly timer?: JsonValue | undefined;
		  })
		| undefined;
	/** The value now, in the words of the history; null if the service does not show it. */
	readonly present: JsonValue;
	/** True if the record is no longer as the change made it: another one came after it. */
	readonly isOvertaken: boolean;
	/** The agent's former abilities that no longer exist. */
	readonly gone: readonly string[];
};

export type KnownRecords = {readonly [R in Resource]: ReadonlyArray<Records[R]>};

/** Returns the lists that are read before a change is reverted. */
export function listsToRevert({kind, field}: HistoryEntry): readonly Resource[] {
	return kind === 'installed'
		? ['installed']
		: kind === 'ability'
			? ['abilities']
			: field === 'abilities'
				? ['agents', 'abilities']
				: ['agents'];
}

/**
Returns how a change is reverted, from the records as they are now.

@param entry - read alone, with its whole texts.
@throws SwitchboardError `refused` if it cannot be, `not-found` if its record is gone, and `conflict` or `ambiguous` if names are in the
way.
*/
export function planReversal(entry: HistoryEntry, records: KnownRecords): PlannedReversal {
	const {kind, field, from, to, record: id} = entry;
	const name = entryName(entry);
	if (kind === 'key' || !isUndoable(entry)) {
		throw new SwitchboardError('refused', `This change of ${name} cannot be reverted.`);
	}

	const resource = resourceOf[kind];
	if (!canSet(resource, field, from)) {
		throw new SwitchboardError('refused', `This change cannot be reverted: it is not known what ${name} was before.`);
	}

	const seen = (records[resource] as readonly Agent[]).find(each => each.id === id);
	if (seen === undefined) {
		throw new SwitchboardError('not-found', goneText(resource, name));
	}

	const areAbilities = field === 'abilities';
	const {ids, gone} = areAbilities ? findAbilities(from as readonly string[], records.abilities) : {ids: from, gone: []};
	const later = areAbilities && canSet(resource, field, to) ? findAbilities(to as readonly string[], records.abilities).ids : to;
	const value = findField(resource, field)!.read(seen);
	const names = new Map(records.abilities.map(ability => [ability.id, ability.name]));
	const present = areAbilities ? (seen.abilityIds?.map(each => names.get(each) ?? `#${each}`) ?? null) : (value ?? null);
	refuseImpossible(seen, entry, ids, records);
	return {
		present,
		reversal:
			isSameValue(value, ids) || isPast(decodeTimer(from))
				? undefined
				: {kind, name: rawName(seen), record: id, field: field as FieldName, from: present, to: ids, seen},
		isOvertaken: !isSameValue(value, later),
		gone,
	};
}

/** A timer is set again only while its time is ahead. */
const isPast = (timer: Timer | undefined): boolean => timer !== undefined && Date.parse(timer.at) <= Date.now();

/** Returns the ids of abilities by their names, and the names that none has any more. */
function findAbilities(names: readonly string[], abilities: readonly Ability[]) {
	const index = indexNames(abilities);
	const variants = findCaseVariants(names);
	const found = names.map(name => {
		const records = index.find(name, variants.has(name));
		if (records.length > 1) {
			throw new SwitchboardError('ambiguous', `Several abilities are named “${cleanName(name)}”: ${listCandidates(records)}.`);
		}

		return records[0]?.id ?? cleanName(name);
	});
	return {ids: found.filter(id => typeof id === 'number'), gone: found.filter(id => typeof id === 'string')};
}

/** @throws SwitchboardError if the service could not take the value, or others would be lost with it. */
function refuseImpossible(
	record: Agent | Ability | InstalledAbility,
	{kind, field}: HistoryEntry,
	wanted: JsonValue,
	records: KnownRecords,
): void {
	const resource = resourceOf[kind as RecordKind];
	const namesake = field === 'name' ? findNamesake(records[resource] as readonly Agent[], record, wanted as string) : undefined;
	if (namesake !== undefined) {
		throw new SwitchboardError('conflict', `The name “${cleanName(wanted as string)}” is taken by ${kind} ${namesake.id} now.`);
	}

	refuseUneditable(resource, record, {[field]: wanted});

	const unshown = resource === 'abilities' ? unshownFields(record as Ability, {[field]: wanted}) : [];
	if (unshown.length > 0) {
		throw new SwitchboardError('refused', `The service does not show ${unshown.join(', ')} of ${record.name}, which would be lost.`, {
			nextStep: `Edit it anyway: switchboard abilities edit ${record.id} --yes`,
		});
	}
}

/** Reads the entries of the same field that came after one, the newest first. */
export async function readLaterEntries(
	history: Pick<History, 'read'>,
	{id, kind, record, field}: HistoryEntry,
	signal?: AbortSignal,
): Promise<readonly HistoryEntry[]> {
	const {entries} = await history.read({records: [record], kind, after: id, limit: 1000}, signal);
	return entries.filter(entry => entry.id > id && entry.kind === kind && entry.record === record && entry.field === field);
}
