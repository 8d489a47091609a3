import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {addOperation} from '../http/operation-routes.ts';
import {agentRecord} from '../records.ts';
import {type Store} from '../store/store.ts';

export const addAgentList = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'listAgents', () => ({
		answer: Type.Array(agentRecord),
		respond: async ({caller}) => store.agents.list(caller.accountId),
	}));
};
