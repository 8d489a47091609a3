import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {decodeRecord, type Agent} from '../interface/records.ts';
import {encodeMultipart, type MultipartPart} from './multipart.ts';
import {type Router} from './routes.ts';

export type AgentChanges = {
	readonly name?: string | undefined;
	/** The agent's prompt. */
	readonly prompt?: string | undefined;
	/** Ids of all abilities that are to be tied to the agent; none ties it to nothing. Left out, the ties stay. */
	readonly abilityIds?: readonly number[] | undefined;
};

type AgentFields = {
	readonly personality_id: number;
	readonly name?: string;
	readonly description?: string;
	readonly matching_capabilities?: readonly number[];
};

const textOr = (changed: string | undefined, known: JsonValue | undefined): string | undefined =>
	changed ?? (typeof known === 'string' ? known : undefined);

/**
What is sent: name and prompt always, as changed or as the service returned them, since a service that replaces the
record would lose them; the ties only when they were changed, since sending them wipes what is not shown
(`LIVE-SERVICE.md`).
*/
const fieldsOf = (agent: Agent, changes: AgentChanges): AgentFields => {
	const name = textOr(changes.name, agent.raw['name']);
	const description = textOr(changes.prompt, agent.raw['description']);
	return {
		personality_id: agent.id,
		...(name !== undefined && {name}),
		...(description !== undefined && {description}),
		...(changes.abilityIds !== undefined && {matching_capabilities: changes.abilityIds}),
	};
};

const toParts = ({matching_capabilities: abilityIds, ...fields}: AgentFields): readonly MultipartPart[] => [
	...Object.entries(fields).map(([name, value]): MultipartPart => [name, String(value)]),
	...(abilityIds?.length === 0 ? [['matching_capabilities', ''] as const] : []),
	...(abilityIds ?? []).map((id): MultipartPart => ['matching_capabilities', String(id)]),
];

/** True for a 415, or a 400 that speaks of none of the fields: it is the form that the service does not take. */
const isFormRefused = (error: unknown, fields: AgentFields): boolean => {
	if (!(error instanceof SwitchboardError)) {
		return false;
	}

	const namesField = error.field !== undefined || Object.keys(fields).some(field => error.message.includes(field));
	return error.status === 415 || (error.status === 400 && !namesField);
};

const isUnsupported = (error: unknown): boolean => error instanceof SwitchboardError && error.status === 415;

const settled = (agent: Agent, fields: AgentFields, body: JsonValue | undefined): Agent => {
	const answered = decodeRecord('agents', isJsonObject(body) && isJsonObject(body['data']) ? body['data'] : body);
	const {personality_id: _, ...sent} = fields;
	const raw: JsonObject = {...agent.raw, ...sent, ...((answered?.id === agent.id) && answered.raw)};
	return decodeRecord('agents', raw) ?? agent;
};

/**
Changes an agent: as multipart first, then as JSON with the same names where the service does not take that form
(`LIVE-SERVICE.md`, Behaviour).

@param agent - as the service returned it.
@param signal - cancels it; nothing is sent after that.
@returns the agent as the answer shows it, or as it was sent.
*/
export const editAgent = async (router: Router, agent: Agent, changes: AgentChanges, signal?: AbortSignal): Promise<Agent> => {
	const fields = fieldsOf(agent, changes);
	try {
		const answer = await router.call('editAgent', undefined, {multipart: encodeMultipart(toParts(fields)), signal});
		return settled(agent, fields, answer.json());
	} catch (error) {
		if (!isFormRefused(error, fields)) {
			throw error;
		}

		try {
			const answer = await router.call('editAgent', undefined, {json: fields, signal});
			return settled(agent, fields, answer.json());
		} catch (jsonError) {
			// The form was taken after all, and what is in it was refused: that is what there is to say.
			throw isUnsupported(jsonError) ? error : jsonError;
		}
	}
};
