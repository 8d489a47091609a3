import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {hasIdentifier} from '../../interface/endpoints.ts';
import {decodeId} from '../../interface/records.ts';
import {addOperation} from '../http/operation-routes.ts';
import {doneAnswer, identifierText} from '../schema-parts.ts';
import {deleteAbilities, findOwnAbilityIds} from '../store/sqlite/abilities.ts';
import {type Database} from '../store/sqlite/store.ts';
import {orNotFound} from './not-found.ts';

const batch = Type.Object({
	capability_ids: Type.Array(identifierText(), {minItems: 1, maxItems: 1000, description: 'Ids of the abilities to delete'}),
}, {title: 'DeleteAbilities'});

/** All are looked up first: where one is not found, none is deleted. */
const remove = async (database: Database, accountId: number, ids: readonly number[]): Promise<string> =>
	database.transaction().execute(async transaction => {
		const own = await findOwnAbilityIds(transaction, accountId, ids);
		for (const id of ids) {
			orNotFound(own.has(id) ? id : undefined, 'ability', id);
		}

		await deleteAbilities(transaction, ids);
		return own.size === 1 ? 'The ability was deleted.' : `${own.size} abilities were deleted.`;
	});

/** An id that is no number at all is looked up like any other that nobody has. */
const asId = (value: unknown): number => decodeId(value) ?? 0;

export const addDeleteAbility = (app: FastifyInstance, database: Database): void => {
	addOperation<typeof batch, typeof doneAnswer>(app, 'deleteAbility', ({path}) => hasIdentifier(path)
		? {
			answer: doneAnswer,
			respond: async ({caller, id}) => ({detail: await remove(database, caller.accountId, [id])}),
		}
		: {
			body: {'application/json': batch},
			answer: doneAnswer,
			respond: async ({caller, body}) => ({detail: await remove(database, caller.accountId, body.capability_ids.map(id => asId(id)))}),
		});
};
