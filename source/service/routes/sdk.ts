import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {apiKeyField} from '../../interface/endpoints.ts';
import {addOperation} from '../http/operation-routes.ts';
import {agentRecord} from '../records.ts';
import {type Store} from '../store/store.ts';

const keyField = {[apiKeyField]: Type.String({description: 'The API key'})};

const agentsWanted = Type.Object({
	...keyField,
	with_image: Type.Optional(Type.Boolean({description: 'True to include the images of the agents'})),
}, {title: 'AgentsWanted'});

export const addAgentListBodyStyle = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'listAgentsBodyStyle', () => ({
		body: {'application/json': agentsWanted},
		answer: Type.Object({personalities: Type.Array(agentRecord)}),
		async respond({caller, body}) {
			const agents = await store.agents.list(caller.accountId);
			return {personalities: body.with_image === true ? agents : agents.map(({image, ...agent}) => agent)};
		},
	}));
};

export const addVerifyKey = (app: FastifyInstance): void => {
	addOperation(app, 'verifyKey', () => ({
		body: {'application/json': Type.Object(keyField, {title: 'Key'})},
		answer: Type.Object({valid: Type.Boolean()}),
		// Anything else in place of a key is an invalid key, not an error.
		isBodyUnchecked: true,
		respond: async ({request}) => ({valid: request.caller !== undefined}),
	}));
};
