import {type Buffer} from 'node:buffer';
import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {apiKeyField} from '../../interface/endpoints.ts';
import {addOperation} from '../http/operation-routes.ts';
import {createListForm} from '../lists/list-form.ts';
import {type Lists} from '../lists/lists.ts';
import {agentRecord} from '../records.ts';
import {type Store} from '../store/store.ts';
import {sendList} from './send-list.ts';

const keyField = {[apiKeyField]: Type.String({description: 'The API key'})};

const agentsWanted = Type.Object({
	...keyField,
	with_image: Type.Optional(Type.Boolean({description: 'True to include the images of the agents'})),
}, {title: 'AgentsWanted'});

export const addAgentListBodyStyle = (app: FastifyInstance, {agents}: Store, lists: Lists): void => {
	const answer = Type.Unsafe<Buffer>(Type.Object({personalities: Type.Array(agentRecord)}));
	const frame = ['{"personalities":[', ']}'] as const;
	const withImages = createListForm(answer, {
		name: 'agents in an object', list: 'agents', frame, read: async accountId => agents.list(accountId),
	});
	const plain = createListForm(answer, {
		name: 'agents without images',
		list: 'agents',
		frame,
		async read(accountId) {
			const {version, records} = await agents.list(accountId);
			return {version, records: records.map(({image, ...agent}) => agent)};
		},
	});
	addOperation(app, 'listAgentsBodyStyle', () => ({
		body: {'application/json': agentsWanted},
		answer,
		respond: async ({body, ...sender}) => sendList(lists, body.with_image === true ? withImages : plain, sender),
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
