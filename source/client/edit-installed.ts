import {SwitchboardError} from '../interface/errors.ts';
import {type JsonObject, type JsonValue} from '../interface/json.ts';
import {decodeRecord, hasMorePhrases, type InstalledAbility} from '../interface/records.ts';
import {type Connection} from './connection.ts';
import {callForRecord} from './explain-not-found.ts';
import {refuseRemovedKey} from './redact-key.ts';

/** What public clients send with `enabled`: if a PUT replaces the record, fields that are not sent are lost (`LIVE-SERVICE.md`). */
const replacedFields = ['name', 'category', 'trigger_words', 'system_capability', 'agent_capability'] as const;

type Changes = {readonly enabled: boolean; readonly trigger_words?: JsonValue};

/**
Sends the changes together with the fields that a PUT may replace, as the service returned them.

@returns the record with the values in the answer or, if it has none, with those that were sent.
*/
const editInstalled = async (connection: Connection, {id, name, raw}: InstalledAbility, changes: Changes, signal?: AbortSignal): Promise<InstalledAbility> => {
	const kept = Object.fromEntries(replacedFields.flatMap(field => Object.hasOwn(raw, field) ? [[field, raw[field]!]] : []));
	refuseRemovedKey(name, kept);
	const answer = await callForRecord(connection, 'editInstalled', {
		resource: 'installed', id, name, verb: 'change', signal,
	}, {json: {...kept, ...changes}});
	const {enabled, last_updated: lastUpdated, trigger_words: phrases} = answer.fields();
	const settled: JsonObject = {
		...raw,
		...changes,
		...(typeof lastUpdated === 'string' && {last_updated: lastUpdated}),
		...(typeof enabled === 'boolean' && {enabled}),
		...('trigger_words' in changes && phrases !== undefined && phrases !== null && {trigger_words: phrases}),
	};
	// The same fields have been decoded before.
	return decodeRecord('installed', settled)!;
};

/**
Enables or disables an installed ability.

@param installed - the record as the service returned it in this run.
@returns the record with the answer's `enabled` if that is a boolean, else with what was sent.
@throws SwitchboardError `not-found` only after a look into the list: it tells whether the record or the path is unknown.
*/
export const setEnabled = async (connection: Connection, installed: InstalledAbility, isEnabled: boolean, signal?: AbortSignal): Promise<InstalledAbility> =>
	editInstalled(connection, installed, {enabled: isEnabled}, signal);

/**
Replaces the trigger phrases of an installed ability.

@param installed - the record as the service returned it in this run.
@returns the record with the phrases in the answer or, if it has none, with those that were sent.
@throws SwitchboardError `refused` if the service did not return the record's phrases, so that their format is unknown, or
did not say whether the ability is on, which has to be sent too. Otherwise as `setEnabled` does.
*/
export const editPhrases = async (connection: Connection, installed: InstalledAbility, phrases: readonly string[]): Promise<InstalledAbility> => {
	const {name, raw, isEnabled} = installed;
	if (!Object.hasOwn(raw, 'trigger_words')) {
		throw new SwitchboardError('refused', `The service does not show the trigger phrases of ${name}, so they cannot be edited.`, {field: 'trigger_words'});
	}

	if (hasMorePhrases(raw)) {
		throw new SwitchboardError('refused', `${name} has too many trigger phrases to be edited here: some of them would be lost.`, {field: 'trigger_words'});
	}

	if (isEnabled === undefined) {
		throw new SwitchboardError('refused', `The service does not show whether ${name} is on, which has to be sent with its phrases.`, {
			field: 'enabled', nextStep: 'Switch it on or off first.',
		});
	}

	// Some services store the phrases as one text with commas.
	const sent = typeof raw['trigger_words'] === 'string' ? phrases.join(',') : phrases;
	return editInstalled(connection, installed, {enabled: isEnabled, trigger_words: sent});
};
