import etag from '@fastify/etag';
import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {addOperation} from '../http/operation-routes.ts';
import {
	abilityRecord,
	agentRecord,
	installedRecord,
	installedReleaseRecord,
} from '../records.ts';
import {type Store} from '../store/store.ts';

/** A list is the caller's own, and clients ask for it again and again; unchanged, it needs no body (RFC 9111, RFC 9110 section 13). */
const allowRevalidation = async (app: FastifyInstance): Promise<void> => {
	await app.register(etag);
	app.addHook('onRequest', async (_request, reply) => {
		void reply.header('cache-control', 'private, no-cache');
	});
};

/** The operations that read all records of a kind. */
export const addLists = async (app: FastifyInstance, {agents, abilities, installed}: Store): Promise<void> => {
	await allowRevalidation(app);
	addOperation(app, 'listAgents', () => ({answer: Type.Array(agentRecord), respond: async ({caller}) => agents.list(caller.accountId)}));
	addOperation(app, 'listAbilities', () => ({answer: Type.Array(abilityRecord), respond: async ({caller}) => abilities.list(caller.accountId)}));
	addOperation(app, 'listInstalled', () => ({answer: Type.Array(installedRecord), respond: async ({caller}) => installed.list(caller.accountId)}));
};

/** The operations that read one record. */
export const addDetails = (app: FastifyInstance, {abilities, installed}: Store): void => {
	addOperation(app, 'getAbility', () => ({answer: abilityRecord, respond: async ({caller, id}) => abilities.get(caller.accountId, id)}));
	addOperation(app, 'getInstalledByAbility', () => ({
		answer: installedReleaseRecord,
		respond: async ({caller, id}) => installed.get(caller.accountId, id),
	}));
};
