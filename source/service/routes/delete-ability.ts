import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {hasIdentifier} from '../../interface/endpoints.ts';
import {decodeId} from '../../interface/records.ts';
import {tellVersions} from '../http/list-versions.ts';
import {addOperation} from '../http/operation-routes.ts';
import {doneAnswer, identifierText} from '../schema-parts.ts';
import {type Store} from '../store/store.ts';

const batch = Type.Object({
	capability_ids: Type.Array(identifierText(), {minItems: 1, maxItems: 1000, description: 'Ids of the abilities to delete'}),
}, {title: 'DeleteAbilities'});

const sayDeleted = (count: number): string => count === 1 ? 'The ability was deleted.' : `${count} abilities were deleted.`;

/** A value that is not a number is looked up like an id that does not exist. */
const asId = (value: unknown): number => decodeId(value) ?? 0;

export const addDeleteAbility = (app: FastifyInstance, store: Store): void => {
	addOperation<typeof batch, typeof doneAnswer>(app, 'deleteAbility', ({path}) => hasIdentifier(path)
		? {
			answer: doneAnswer,
			async respond({caller, id, reply}) {
				tellVersions(reply, await store.abilities.remove(caller, [id]));
				return {detail: sayDeleted(1)};
			},
		}
		: {
			body: {'application/json': batch},
			answer: doneAnswer,
			async respond({caller, body, reply}) {
				const ids = [...new Set(body.capability_ids.map(id => asId(id)))];
				tellVersions(reply, await store.abilities.remove(caller, ids));
				return {detail: sayDeleted(ids.length)};
			},
		});
};
