import {fillPath, timersPath} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import type {JsonObject, JsonValue} from '../interface/json.ts';
import {beyondRights} from '../interface/key-rights.ts';
import {decodeRecord, toRawValues, type Ability, type InstalledAbility} from '../interface/records.ts';
import type {TimerWish} from '../interface/timers.ts';
import {toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {callForRecord, explainNotFound} from './record-calls.ts';
import {refuseRemovedKey} from './redact-key.ts';

/** A service that shows none of these takes only the documented body; any other may lose fields that a PUT does not send. */
const replacedFields = ['name', 'category', 'trigger_words', 'system_capability', 'agent_capability'] as const;

/** Fields that no public client sends back: the service sets them itself (`docs/interface.md`, Changes). */
const ownFields: ReadonlySet<string> = new Set([
	'id',
	'installed_cap_id',
	'capability_id',
	'last_updated',
	'image_file',
	'default',
	'shortcut',
	'timer',
]);

/** Values of an installed ability, by the names of their fields; `undefined` leaves a field as it is. */
export type InstalledChanges = {
	readonly enabled?: boolean | undefined;
	readonly triggers?: readonly string[] | undefined;
	/** Null cancels it. With `enabled`, both are one request. */
	readonly timer?: TimerWish | null | undefined;
};

const mapValues = (values: JsonObject, toValue: (field: string, value: JsonValue) => JsonValue): JsonObject =>
	Object.fromEntries(Object.entries(values).map(([field, value]) => [field, toValue(field, value)]));

/**
Enables or disables an installed ability, or edits it. The other fields are sent back as they are.

@param installed - the record as the service returned it in this run.
@returns the record with the values in the answer or, if it has none, with those that were sent.
@throws SwitchboardError `forbidden` if the key may only switch, `not-found` only after reading the list, which tells whether the record or
the path is unknown.
*/
export async function editInstalled(
	connection: Connection,
	installed: InstalledAbility,
	changes: InstalledChanges,
	signal?: AbortSignal,
): Promise<InstalledAbility> {
	const {timer, ...fields} = changes;
	const {id, name, raw, isEnabled} = installed;
	const isSwitching = (changes.enabled ?? isEnabled) !== isEnabled;
	// A change of the state cancels it.
	if (timer !== undefined && !(timer === null && isSwitching)) {
		const after = await setTimer(connection, installed, timer, changes.enabled !== undefined, signal);
		return fields.triggers === undefined ? after : editInstalled(connection, after, {triggers: fields.triggers}, signal);
	}

	const values = toRawValues({...fields, enabled: changes.enabled ?? isEnabled});
	const limits = connection.transport.keyLimits();
	if (limits !== undefined && Object.keys(values).some(field => field !== 'enabled')) {
		throw beyondRights(limits);
	}

	const isReplaced = replacedFields.some(field => Object.hasOwn(raw, field));
	const kept = Object.fromEntries(Object.entries(raw).filter(([field]) => isReplaced && !ownFields.has(field)));
	refuseRemovedKey(name, kept);
	// Some services store the phrases as one text with commas.
	const sent = mapValues(values, (field, value) => (Array.isArray(value) && typeof raw[field] === 'string' ? value.join(',') : value));
	const answer = await callForRecord(
		connection,
		'editInstalled',
		{resource: 'installed', id, name, verb: 'change', signal},
		{json: {...kept, ...sent}},
	);
	const {timer: before, ...others} = raw;
	const {enabled, last_updated: lastUpdated, timer: after = isSwitching ? undefined : before, ...answered} = answer.fields();
	const isStateShown = typeof enabled === 'boolean';
	const settled: JsonObject = {
		...others,
		...(after !== undefined && {timer: after}),
		...mapValues(sent, (field, value) => answered[field] ?? value),
		...(typeof lastUpdated === 'string' && {last_updated: lastUpdated}),
		...(isStateShown && {enabled}),
	};
	// These fields were decoded before.
	const record = decodeRecord('installed', settled)!;
	return changes.enabled === undefined || isStateShown ? record : {...record, isUnconfirmed: true};
}

/**
Sets the timer of an installed ability, in place of one that it has, or cancels it (`null`).

@param isSwitching - the ability gets the opposite of the state to come in the same change; only if that differs from its present state, or
the ability has a timer to the same state, a timer is set.
@returns the record as the service has it now.
@throws SwitchboardError `refused` if the service keeps no timers: nothing was sent.
*/
async function setTimer(
	connection: Connection,
	{id, name, raw}: InstalledAbility,
	timer: TimerWish | null,
	isSwitching: boolean,
	signal: AbortSignal | undefined,
): Promise<InstalledAbility> {
	const {transport} = connection;
	if (transport.keepsTimers() !== true) {
		throw new SwitchboardError('refused', 'The service keeps no timers.');
	}

	// The rights are those of a switch.
	const call = {operation: 'editInstalled', path: fillPath(`${timersPath}/{id}/`, id), signal} as const;
	const answer = await transport.send(
		timer === null ? {...call, method: 'DELETE'} : {...call, method: 'PUT', json: {...timer, ...(isSwitching && {switch: true})}},
	);
	if (answer.status < 200 || answer.status >= 300) {
		const error = toAnswerError(answer, transport.keyName);
		throw await explainNotFound(connection, error, {resource: 'installed', id, name, verb: 'set a timer of', signal});
	}

	const fields = answer.fields();
	const {timer: _, ...kept} = raw;
	const record = decodeRecord('installed', {...kept, ...fields});
	if (record?.id !== id) {
		throw toUnintelligibleError(answer, 'an installed ability');
	}

	return record;
}

/** Tells whether the service keeps timers; `undefined` before its first answer. */
export async function keepsTimers({transport}: Connection): Promise<boolean | undefined> {
	return transport.keepsTimers();
}

/** Installs an ability for the caller. Not every service can: the operation is not documented. */
export async function installAbility(connection: Connection, {id, name}: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal) {
	await callForRecord(connection, 'installAbility', {resource: 'abilities', id, name, verb: 'install', signal});
}

/** Uninstalls an ability; the ability itself stays. Not every service can: the operation is not documented. */
export async function uninstallAbility(connection: Connection, {id, name}: Pick<InstalledAbility, 'id' | 'name'>, signal?: AbortSignal) {
	await callForRecord(connection, 'uninstallAbility', {resource: 'installed', id, name, verb: 'uninstall', signal});
}
