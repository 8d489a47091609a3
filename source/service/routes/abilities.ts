import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {addOperation} from '../http/operation-routes.ts';
import {abilityRecord} from '../records.ts';
import {type Store} from '../store/store.ts';

export const addAbilityList = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'listAbilities', () => ({
		answer: Type.Array(abilityRecord),
		respond: async ({caller}) => store.abilities.list(caller.accountId),
	}));
};

export const addAbilityRoutes = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'getAbility', () => ({
		answer: abilityRecord,
		respond: async ({caller, id}) => store.abilities.get(caller.accountId, id),
	}));
};
