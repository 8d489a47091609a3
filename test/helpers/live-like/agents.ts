import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {formTexts, mediaType, readForm, readJsonObject} from '../request-bodies.ts';
import {findRecord, type LiveLikeHome} from './home.ts';

export type AgentEditOptions = {readonly agentEditFormat: 'multipart' | 'json'; readonly formatRefusalStatus: 415 | 400};

type Refuse = (status: number, message: string) => Answer;

/** Edits an agent: only the fields that were sent, ties only where `matching_capabilities` was. */
export async function editAgent(home: LiveLikeHome, request: RecordedRequest, options: AgentEditOptions, refuse: Refuse): Promise<Answer> {
	const fields = await readFields(request, options.agentEditFormat);
	if (fields === undefined) {
		return refuse(options.formatRefusalStatus, `Unsupported media type "${mediaType(request)}" in request.`);
	}

	const id = Number(fields['personality_id']?.[0]);
	const agent = findRecord(home.agents, id);
	if (agent === undefined) {
		return refuse(404, 'No such personality');
	}

	for (const field of ['name', 'description']) {
		const [value] = fields[field] ?? [];
		if (value !== undefined) {
			agent[field] = value;
		}
	}

	const ties = fields['matching_capabilities'];
	if (ties !== undefined) {
		const ids = ties.filter(tie => tie !== '').map(Number);
		home.ties.set(id, ids);
		// Unless a test lets it show them, it does not.
		if (Object.hasOwn(agent, 'matching_capabilities')) {
			agent['matching_capabilities'] = ids;
		}
	}

	return jsonAnswer({detail: 'Personality updated'});
}

type Fields = Readonly<Record<string, readonly string[]>>;

async function readFields(request: RecordedRequest, format: AgentEditOptions['agentEditFormat']): Promise<Fields | undefined> {
	if (format === 'multipart') {
		const form = await readForm(request);
		return form && formTexts(form);
	}

	const body = mediaType(request) === 'application/json' ? readJsonObject(request) : undefined;
	return (
		body && Object.fromEntries(Object.entries(body).map(([name, value]) => [name, (Array.isArray(value) ? value : [value]).map(String)]))
	);
}
