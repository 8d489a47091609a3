import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {addOperation} from '../http/operation-routes.ts';
import {agentRecord} from '../records.ts';
import {listAgents} from '../store/sqlite/agents.ts';
import {type Database} from '../store/sqlite/store.ts';

export const addAgentList = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'listAgents', () => ({
		answer: Type.Array(agentRecord),
		respond: async ({caller}) => listAgents(database, caller.accountId),
	}));
};
