import type {FastifyInstance, FastifyRequest} from 'fastify';
import * as Type from 'typebox';
import {cleanText} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {decodeId} from '../../interface/records.ts';
import {formText, readForm} from '../http/forms.ts';
import {addOperation, addVersions} from '../http/operation-routes.ts';
import {agentRecord, identifierText, checkField, checkLength, displayNameProblem} from '../records.ts';
import type {AgentChanges} from '../store/changes.ts';
import type {Store} from '../store/store.ts';

const tiesField = 'matching_capabilities';

const editAgent = Type.Object(
	{
		personality_id: identifierText({description: 'Id of the agent'}),
		name: Type.Optional(Type.String()),
		description: Type.Optional(Type.String({description: 'The prompt'})),
		[tiesField]: Type.Optional(
			Type.Array(identifierText(), {
				maxItems: 2000,
				description: 'Ids of all abilities to tie to the agent. In a form: one field for each, or one empty field for none',
			}),
		),
	},
	{title: 'EditAgent'},
);

/** Changes only the fields that are sent. */
export function addEditAgent(app: FastifyInstance, store: Store): void {
	addOperation(app, 'editAgent', () => ({
		body: {'application/json': editAgent, 'multipart/form-data': editAgent},
		answer: agentRecord,
		async respond({caller, request, reply}) {
			const edit = await readEdit(request);
			const id = readAgentId(edit);
			return addVersions(reply, await store.agents.change(caller, id, abilityIds => checkChanges(edit, abilityIds)));
		},
	}));
}

/** A field that was not sent is `undefined`. */
type Edit = {
	readonly personality_id?: string | number | undefined;
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	readonly matching_capabilities?: ReadonlyArray<string | number> | undefined;
};

async function readEdit(request: FastifyRequest): Promise<Edit> {
	if (!request.isMultipart()) {
		// JSON has been checked; a request without a body has no fields.
		return request.body ?? {};
	}

	const form = await readForm(request);
	return {
		personality_id: formText(form, 'personality_id'),
		name: formText(form, 'name'),
		description: formText(form, 'description'),
		matching_capabilities: form.fields
			.get(tiesField)
			?.map(text => text.trim())
			.filter(text => text !== ''),
	};
}

function readAgentId({personality_id: value}: Edit): number {
	const id = decodeId(value);
	if (id === undefined) {
		throw new SwitchboardError(
			'refused',
			`The field personality_id ${value === undefined ? 'is required' : 'must be a positive whole number'}.`,
			{field: 'personality_id'},
		);
	}

	return id;
}

function checkChanges(edit: Edit, abilityIds: ReadonlySet<number>): AgentChanges {
	const {name, description, matching_capabilities: ties} = edit;
	if (name !== undefined) {
		checkField('name', displayNameProblem(name, 200));
	}

	checkLength('description', description ?? '', 200_000);
	return {name, description, abilityIds: ties && readTies(ties, abilityIds)};
}

/** Refuses the id of another account's ability with the words for an unknown id. */
const readTies = (values: ReadonlyArray<string | number>, abilityIds: ReadonlySet<number>): readonly number[] =>
	values.map(value => {
		const id = decodeId(value);
		if (id === undefined || !abilityIds.has(id)) {
			throw new SwitchboardError(
				'refused',
				`The field ${tiesField} contains ${cleanText(JSON.stringify(value), 100)}, which is not the id of an ability.`,
				{field: tiesField},
			);
		}

		return id;
	});
