import {refuseUneditablePhrases} from '../interface/installed-lookup.ts';
import type {JsonObject, JsonValue} from '../interface/json.ts';
import {beyondRights} from '../interface/key-rights.ts';
import {decodeRecord, type Ability, type InstalledAbility} from '../interface/records.ts';
import type {Connection} from './lists.ts';
import {callForRecord} from './record-calls.ts';
import {refuseRemovedKey} from './redact-key.ts';

/** Fields that public clients send with `enabled`: a PUT that replaces the record would lose them (`docs/interface.md`, Changes). */
const replacedFields = ['name', 'category', 'trigger_words', 'system_capability', 'agent_capability'] as const;

type Changes = {readonly enabled: boolean; readonly trigger_words?: JsonValue};

/**
Sends the changes together with the fields that a PUT may replace, as the service returned them.

@returns the record with the values in the answer or, if it has none, with those that were sent; and whether the answer shows the state.
*/
const editInstalled = async (connection: Connection, {id, name, raw}: InstalledAbility, changes: Changes, signal?: AbortSignal) => {
	const kept = Object.fromEntries(replacedFields.flatMap(field => (Object.hasOwn(raw, field) ? [[field, raw[field]!]] : [])));
	refuseRemovedKey(name, kept);
	const answer = await callForRecord(
		connection,
		'editInstalled',
		{resource: 'installed', id, name, verb: 'change', signal},
		{json: {...kept, ...changes}},
	);
	const {enabled, last_updated: lastUpdated, trigger_words: phrases} = answer.fields();
	const settled: JsonObject = {
		...raw,
		...changes,
		...(typeof lastUpdated === 'string' && {last_updated: lastUpdated}),
		...(typeof enabled === 'boolean' && {enabled}),
		...('trigger_words' in changes && phrases !== undefined && phrases !== null && {trigger_words: phrases}),
	};
	// The same fields have been decoded before.
	return {record: decodeRecord('installed', settled)!, isStateShown: typeof enabled === 'boolean'};
};

/**
Enables or disables an installed ability.

@param installed - the record as the service returned it in this run.
@returns the record with the answer's `enabled` if that is a boolean, else with what was sent.
@throws SwitchboardError `not-found` only after a look into the list: it tells whether the record or the path is unknown.
*/
export const setEnabled = async (connection: Connection, installed: InstalledAbility, isEnabled: boolean, signal?: AbortSignal) => {
	const {record, isStateShown} = await editInstalled(connection, installed, {enabled: isEnabled}, signal);
	return isStateShown ? record : {...record, isUnconfirmed: true};
};

/**
Replaces the trigger phrases of an installed ability.

@param installed - the record as the service returned it in this run.
@returns the record with the phrases in the answer or, if it has none, with those that were sent.
@throws SwitchboardError `refused` as `refuseUneditablePhrases` does, `forbidden` if the key may only switch, otherwise as `setEnabled` does.
*/
export const editPhrases = async (
	connection: Connection,
	installed: InstalledAbility,
	phrases: readonly string[],
	signal?: AbortSignal,
) => {
	refuseUneditablePhrases(installed);
	const limits = connection.transport.keyLimits();
	if (limits !== undefined) {
		throw beyondRights(limits);
	}

	// Some services store the phrases as one text with commas.
	const sent = typeof installed.raw['trigger_words'] === 'string' ? phrases.join(',') : phrases;
	const {record} = await editInstalled(connection, installed, {enabled: installed.isEnabled!, trigger_words: sent}, signal);
	return record;
};

/** Installs an ability for the caller. Not every service can: the operation is not documented. */
export const installAbility = async (connection: Connection, {id, name}: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal) => {
	await callForRecord(connection, 'installAbility', {resource: 'abilities', id, name, verb: 'install', signal});
};

/** Uninstalls an ability; the ability itself stays. Not every service can: the operation is not documented. */
export const uninstallAbility = async (connection: Connection, {id, name}: Pick<InstalledAbility, 'id' | 'name'>, signal?: AbortSignal) => {
	await callForRecord(connection, 'uninstallAbility', {resource: 'installed', id, name, verb: 'uninstall', signal});
};
