import type {Buffer} from 'node:buffer';
import type {FastifyInstance, FastifyReply} from 'fastify';
import * as Type from 'typebox';
import {apiKeyField} from '../../interface/endpoints.ts';
import {keyRights} from '../../interface/key-rights.ts';
import type {Caller} from '../callers.ts';
import {addOperation, addVersion, type OperationRequest} from '../http/operation-routes.ts';
import {createListForm, chooseCoding, entityTag, findMatch, type ListForm, type Lists} from '../lists.ts';
import {abilityRecord, agentRecord, installedRecord, installedReleaseRecord} from '../records.ts';
import type {Store} from '../store/store.ts';

/** Smaller lists are sent as they are, because they fit into one packet. */
const leastCompressedBytes = 1024;

type ListParts = {
	readonly store: Store;
	readonly lists: Lists;
	/** False if service and client share a machine. */
	readonly isCompressing: boolean;
};

/** Adds the operations that read all records of a kind, or one record. */
export function addReadOperations(app: FastifyInstance, parts: ListParts): void {
	const {agents, abilities, installed} = parts.store;
	const add = (
		operation: 'listAgents' | 'listAbilities' | 'listInstalled',
		record: Type.TSchema,
		form: Pick<ListForm, 'list' | 'read'>,
	): void => {
		const answer = Type.Unsafe<Buffer>(Type.Array(record));
		const listForm = createListForm(answer, {name: form.list, ...form});
		addOperation(app, operation, () => ({answer, respond: async sender => sendList(parts, listForm, sender, true)}));
	};

	add('listAgents', agentRecord, {list: 'agents', read: async accountId => agents.list(accountId)});
	add('listAbilities', abilityRecord, {list: 'abilities', read: async accountId => abilities.list(accountId)});
	add('listInstalled', installedRecord, {list: 'installed', read: async accountId => installed.list(accountId)});
	addOperation(app, 'getAbility', () => ({answer: abilityRecord, respond: async ({caller, id}) => abilities.get(caller.accountId, id)}));
	addOperation(app, 'getInstalledByAbility', () => ({
		answer: installedReleaseRecord,
		respond: async ({caller, id}) => installed.get(caller.accountId, id),
	}));
}

/**
Answers with a list, in the coding that the client prefers.

@param isChecked - true for a list that clients keep and poll: it is not read if the client has it (RFC 9111, RFC 9110 section 13).
*/
async function sendList(
	{lists, isCompressing}: ListParts,
	form: ListForm,
	{caller, request, reply}: Pick<OperationRequest<unknown>, 'caller' | 'request' | 'reply'>,
	isChecked: boolean,
): Promise<Buffer | FastifyReply> {
	void reply.header('vary', 'accept-encoding');
	if (isChecked) {
		void reply.header('cache-control', 'private, no-cache');
		const version = caller.versions[form.list];
		const match = findMatch(request.headers['if-none-match'], version, form.mark);
		if (match !== undefined) {
			addVersion(reply, form.list, version);
			return reply.code(304).header('etag', match).send();
		}
	}

	const text = await lists.read(form, caller);
	const coding = isCompressing && text.bytes.length >= leastCompressedBytes ? chooseCoding(request.headers['accept-encoding']) : undefined;
	if (isChecked) {
		addVersion(reply, form.list, text.version);
		void reply.header('etag', entityTag(text.version, form.mark, coding));
	}

	void reply.header('content-type', 'application/json; charset=utf-8');
	if (coding === undefined) {
		return text.bytes;
	}

	void reply.header('content-encoding', coding);
	return lists.compress(form, caller, text, coding);
}

const keyField = {[apiKeyField]: Type.String({description: 'The API key'})};

const agentsWanted = Type.Object(
	{...keyField, with_image: Type.Optional(Type.Boolean({description: 'True to include the images of the agents'}))},
	{title: 'AgentsWanted'},
);

/** Adds the list of agents with the key in the body. */
export function addAgentListBodyStyle(app: FastifyInstance, parts: ListParts): void {
	const {agents} = parts.store;
	const answer = Type.Unsafe<Buffer>(Type.Object({personalities: Type.Array(agentRecord)}));
	const common = {list: 'agents', frame: ['{"personalities":[', ']}']} as const;
	const withImages = createListForm(answer, {...common, name: 'agents in an object', read: async accountId => agents.list(accountId)});
	const plain = createListForm(answer, {
		...common,
		name: 'agents without images',
		async read(accountId) {
			const {version, records} = await agents.list(accountId);
			return {version, records: records.map(({image, ...agent}) => agent)};
		},
	});
	addOperation(app, 'listAgentsBodyStyle', () => ({
		body: {'application/json': agentsWanted},
		answer,
		respond: async ({body, ...sender}) => sendList(parts, body.with_image === true ? withImages : plain, sender, false),
	}));
}

export function addVerifyKey(app: FastifyInstance): void {
	addOperation(app, 'verifyKey', () => ({
		body: {'application/json': Type.Object(keyField, {title: 'Key'})},
		answer: Type.Object({
			valid: Type.Boolean(),
			name: Type.Optional(Type.String({description: 'With any of the following: the name of the key'})),
			rights: Type.Optional(
				Type.Unsafe<Caller['rights']>(
					Type.String({enum: keyRights.filter(each => each !== 'all'), description: 'The rights of a restricted key'}),
				),
			),
			for_ssh: Type.Optional(Type.Boolean({description: 'True for a key that may say for whom it asks'})),
			expires_at: Type.Optional(Type.String({description: 'When the key ends, if it does'})),
		}),
		// Anything else in place of a key is treated as an invalid key, not as an error.
		isBodyUnchecked: true,
		respond: async ({request: {caller}}) => ({valid: caller !== undefined, ...(caller !== undefined && describeKey(caller))}),
	}));
}

/** Returns the properties of a key that differ from a plain key's. */
function describeKey({author: {name}, rights, isForSsh, expiresAt}: Caller) {
	const terms = {
		...(rights !== 'all' && {rights}),
		...(isForSsh && {for_ssh: true}),
		...(expiresAt !== undefined && {expires_at: expiresAt}),
	};
	return Object.keys(terms).length === 0 ? {} : {name, ...terms};
}
