import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {decodeRecord, toRawValues, type Agent} from '../interface/records.ts';
import {refusePage} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {refuseRemovedKey} from './redact-key.ts';
import {encodeMultipart, type MultipartPart} from './multipart.ts';

export type AgentChanges = {
	readonly name?: string | undefined;
	readonly prompt?: string | undefined;
	/** Ids of all abilities to tie to the agent; an empty list removes all ties. If left out, the ties stay. */
	readonly abilities?: readonly number[] | undefined;
	/** True if the prompt may be replaced even where the text before it cannot be kept (`keepPrompts`). */
	readonly canLosePrompt?: boolean | undefined;
};

/**
Changes an agent: as multipart first, then as JSON with the same names if the service does not accept the form
(`docs/interface.md`, Changes).

@param agent - as the service returned it.
@returns the agent as the answer shows it, or as it was sent.
*/
export async function editAgent({call}: Connection, agent: Agent, changes: AgentChanges, signal?: AbortSignal): Promise<Agent> {
	const fields = fieldsOf(agent, changes);
	refuseRemovedKey(agent.name, fields);
	try {
		const answer = refusePage(await call('editAgent', undefined, {multipart: encodeMultipart(toParts(fields)), signal}));
		return settled(agent, fields, answer.fields());
	} catch (error) {
		if (!isFormRefused(error, fields)) {
			throw error;
		}

		try {
			const answer = refusePage(await call('editAgent', undefined, {json: fields, signal}));
			return settled(agent, fields, answer.fields());
		} catch (jsonError) {
			// The service does accept forms, and refused the content: show that error.
			throw jsonError instanceof SwitchboardError && jsonError.status === 415 ? error : jsonError;
		}
	}
}

/**
The name and the prompt are always sent, because a service that replaces the record would lose them; the ties only if they changed, because
sending them removes ties that the service does not show (`docs/interface.md`, Changes).
*/
const fieldsOf = ({id, raw}: Agent, {canLosePrompt: _, ...changes}: AgentChanges): JsonObject => ({
	personality_id: id,
	...Object.fromEntries(['name', 'description'].flatMap(field => (typeof raw[field] === 'string' ? [[field, raw[field]]] : []))),
	...toRawValues(changes),
});

/** Each entry of a list becomes a part; an empty list becomes an empty part. */
const toParts = (fields: JsonObject): readonly MultipartPart[] =>
	Object.entries(fields).flatMap(([name, value]): readonly MultipartPart[] =>
		(Array.isArray(value) ? (value.length === 0 ? [''] : value) : [value]).map(each => [name, String(each)]),
	);

function settled(agent: Agent, fields: JsonObject, body: JsonObject): Agent {
	const answered = decodeRecord('agents', isJsonObject(body['data']) ? body['data'] : body);
	const {personality_id: _, ...sent} = fields;
	const raw: JsonObject = {...agent.raw, ...sent, ...(answered?.id === agent.id && answered.raw)};
	return decodeRecord('agents', raw) ?? agent;
}

/** Tells whether this is a 415, or a 400 that names none of the fields: the service does not accept the form itself. */
function isFormRefused(error: unknown, fields: JsonObject): boolean {
	if (!(error instanceof SwitchboardError)) {
		return false;
	}

	const namesField = error.field !== undefined || Object.keys(fields).some(field => error.message.includes(field));
	return error.status === 415 || (error.status === 400 && !namesField);
}
