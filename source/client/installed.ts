import {refuseUneditablePhrases} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import {beyondRights} from '../interface/key-rights.ts';
import {decodeRecord, type Ability, type InstalledAbility} from '../interface/records.ts';
import type {Connection} from './lists.ts';
import {callForRecord} from './record-calls.ts';
import {refuseRemovedKey} from './redact-key.ts';

/** Fields that no public client sends back: the service sets them itself (`docs/interface.md`, Changes). A PUT may lose any other one. */
const ownFields: ReadonlySet<string> = new Set([
	'id',
	'installed_cap_id',
	'capability_id',
	'last_updated',
	'image_file',
	'default',
	'shortcut',
]);

/** Values of an installed ability, by the names of their fields; `undefined` leaves a field as it is. */
export type InstalledChanges = {readonly enabled?: boolean | undefined; readonly triggers?: readonly string[] | undefined};

/** The state and the phrases as they are sent: some services store the phrases as one text with commas. */
const sentFields = ({raw, isEnabled}: InstalledAbility, {enabled = isEnabled, triggers}: InstalledChanges): JsonObject => ({
	enabled: enabled!,
	...(triggers !== undefined && {trigger_words: typeof raw['trigger_words'] === 'string' ? triggers.join(',') : triggers}),
});

/** @throws SwitchboardError `refused` as `refuseUneditablePhrases` does, or `forbidden` if the key may only switch. */
const refuseEditing = ({transport}: Connection, installed: InstalledAbility): void => {
	refuseUneditablePhrases(installed);
	const limits = transport.keyLimits();
	if (limits !== undefined) {
		throw beyondRights(limits);
	}
};

/**
Enables or disables an installed ability, or replaces its trigger phrases. The other fields are sent back as they are.

@param installed - the record as the service returned it in this run.
@returns the record with the values in the answer or, if it has none, with those that were sent.
@throws SwitchboardError `not-found` only after a look into the list: it tells whether the record or the path is unknown.
*/
export const editInstalled = async (
	connection: Connection,
	installed: InstalledAbility,
	changes: InstalledChanges,
	signal?: AbortSignal,
): Promise<InstalledAbility> => {
	const {id, name, raw} = installed;
	if (changes.triggers !== undefined) {
		refuseEditing(connection, installed);
	}

	const kept = Object.fromEntries(Object.entries(raw).filter(([field]) => !ownFields.has(field)));
	refuseRemovedKey(name, kept);
	const sent = sentFields(installed, changes);
	const answer = await callForRecord(
		connection,
		'editInstalled',
		{resource: 'installed', id, name, verb: 'change', signal},
		{json: {...kept, ...sent}},
	);
	const {enabled, last_updated: lastUpdated, trigger_words: phrases} = answer.fields();
	const isStateShown = typeof enabled === 'boolean';
	const settled: JsonObject = {
		...raw,
		...sent,
		...(typeof lastUpdated === 'string' && {last_updated: lastUpdated}),
		...(isStateShown && {enabled}),
		...('trigger_words' in sent && phrases !== undefined && phrases !== null && {trigger_words: phrases}),
	};
	// The same fields have been decoded before.
	const record = decodeRecord('installed', settled)!;
	return changes.enabled === undefined || isStateShown ? record : {...record, isUnconfirmed: true};
};

/** Installs an ability for the caller. Not every service can: the operation is not documented. */
export const installAbility = async (connection: Connection, {id, name}: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal) => {
	await callForRecord(connection, 'installAbility', {resource: 'abilities', id, name, verb: 'install', signal});
};

/** Uninstalls an ability; the ability itself stays. Not every service can: the operation is not documented. */
export const uninstallAbility = async (connection: Connection, {id, name}: Pick<InstalledAbility, 'id' | 'name'>, signal?: AbortSignal) => {
	await callForRecord(connection, 'uninstallAbility', {resource: 'installed', id, name, verb: 'uninstall', signal});
};
