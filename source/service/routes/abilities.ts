import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {addOperation} from '../http/operation-routes.ts';
import {abilityRecord} from '../records.ts';
import {findAbility, listAbilities} from '../store/sqlite/abilities.ts';
import {type Database} from '../store/sqlite/store.ts';
import {orNotFound} from './not-found.ts';

export const addAbilityList = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'listAbilities', () => ({
		answer: Type.Array(abilityRecord),
		respond: async ({caller}) => listAbilities(database, caller.accountId),
	}));
};

export const addAbilityRoutes = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'getAbility', () => ({
		answer: abilityRecord,
		respond: async ({caller, id}) => orNotFound(await findAbility(database, caller.accountId, id), 'ability', id),
	}));
};
