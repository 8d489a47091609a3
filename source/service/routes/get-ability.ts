import {type FastifyInstance} from 'fastify';
import {addOperation} from '../http/operation-routes.ts';
import {abilityRecord} from '../records.ts';
import {type Store} from '../store/store.ts';

export const addGetAbility = (app: FastifyInstance, {abilities}: Store): void => {
	addOperation(app, 'getAbility', () => ({
		answer: abilityRecord,
		respond: async ({caller, id}) => abilities.get(caller.accountId, id),
	}));
};
