import {type Buffer} from 'node:buffer';
import {type FastifyInstance} from 'fastify';
import {type TSchema, Type} from 'typebox';
import {addOperation} from '../http/operation-routes.ts';
import {createListForm, type ListForm} from '../lists/list-form.ts';
import {type Lists} from '../lists/lists.ts';
import {
	abilityRecord,
	agentRecord,
	installedRecord,
	installedReleaseRecord,
} from '../records.ts';
import {type Store} from '../store/store.ts';
import {sendCheckedList} from './send-list.ts';

/** The operations that read all records of a kind. */
export const addLists = (app: FastifyInstance, {agents, abilities, installed}: Store, lists: Lists): void => {
	const add = (operation: 'listAgents' | 'listAbilities' | 'listInstalled', record: TSchema, form: Pick<ListForm, 'list' | 'read'>): void => {
		const answer = Type.Unsafe<Buffer>(Type.Array(record));
		const listForm = createListForm(answer, {name: form.list, ...form});
		addOperation(app, operation, () => ({answer, respond: async sender => sendCheckedList(lists, listForm, sender)}));
	};

	add('listAgents', agentRecord, {list: 'agents', read: async accountId => agents.list(accountId)});
	add('listAbilities', abilityRecord, {list: 'abilities', read: async accountId => abilities.list(accountId)});
	add('listInstalled', installedRecord, {list: 'installed', read: async accountId => installed.list(accountId)});
};

/** The operations that read one record. */
export const addDetails = (app: FastifyInstance, {abilities, installed}: Store): void => {
	addOperation(app, 'getAbility', () => ({answer: abilityRecord, respond: async ({caller, id}) => abilities.get(caller.accountId, id)}));
	addOperation(app, 'getInstalledByAbility', () => ({
		answer: installedReleaseRecord,
		respond: async ({caller, id}) => installed.get(caller.accountId, id),
	}));
};
