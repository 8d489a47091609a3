import {type Buffer} from 'node:buffer';
import etag from '@fastify/etag';
import {type FastifyInstance, type preHandlerAsyncHookHandler} from 'fastify';
import {type FindCaller} from '../callers.ts';
import {addAbilityList, addAbilityRoutes} from '../routes/abilities.ts';
import {addDeleteAbility} from '../routes/delete-ability.ts';
import {addEditAgent} from '../routes/edit-agent.ts';
import {addInstallRoutes} from '../routes/install.ts';
import {addSourceRoutes} from '../routes/source.ts';
import {addUploadAbility} from '../routes/upload-ability.ts';
import {addAgentList} from '../routes/agents.ts';
import {addInstalledList, addInstalledRoutes} from '../routes/installed.ts';
import {addAgentListBodyStyle, addVerifyKey} from '../routes/sdk.ts';
import {type Store} from '../store/store.ts';
import {takeForms} from './forms.ts';
import {refuseWrites} from './read-only.ts';
import {authorizeByBody, authorizeByHeader, identifyByBody} from './authorize.ts';

export type FamilyParts = {
	readonly store: Store;
	readonly findCaller: FindCaller;
	readonly limit: preHandlerAsyncHookHandler;
	/** True where nothing may be changed. */
	readonly isReadOnly: boolean;
};

/** A list is the caller's own, and is asked for again each time; unchanged, it costs no body (RFC 9111, RFC 9110 section 13). */
const addLists = async (app: FastifyInstance, store: Store): Promise<void> => {
	await app.register(etag);
	app.addHook('onRequest', async (_request, reply) => {
		void reply.header('cache-control', 'private, no-cache');
	});
	addAgentList(app, store);
	addAbilityList(app, store);
	addInstalledList(app, store);
};

const addForms = async (app: FastifyInstance, store: Store): Promise<void> => {
	await takeForms(app);
	addEditAgent(app, store);
	addUploadAbility(app, store);
	addSourceRoutes(app, store);
};

/** The operations that take the key in a header. It is looked at before the body is. */
export const addHeaderFamily = async (app: FastifyInstance, {store, findCaller, limit, isReadOnly}: FamilyParts): Promise<void> => {
	app.addHook('onRequest', authorizeByHeader(findCaller));
	app.addHook('onRequest', limit);
	if (isReadOnly) {
		app.addHook('onRequest', refuseWrites);
	}

	addAbilityRoutes(app, store);
	addInstalledRoutes(app, store);
	addInstallRoutes(app, store);
	addDeleteAbility(app, store);
	await app.register(async forms => addForms(forms, store));
	await app.register(async lists => addLists(lists, store));
};

/**
A body that is no JSON holds no key either: it is answered as such (401), so that whoever has none learns nothing else.
*/
const readAnyBody = (app: FastifyInstance): void => {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', {parseAs: 'string'}, async (_request: unknown, body: string | Buffer): Promise<unknown> => {
		try {
			return JSON.parse(String(body)) as unknown;
		} catch {
			return undefined;
		}
	});
};

/** The operations that take the key as a field of the JSON body. */
export const addBodyFamily = async (app: FastifyInstance, {store, findCaller, limit}: FamilyParts): Promise<void> => {
	readAnyBody(app);
	await app.register(async open => {
		open.addHook('preValidation', identifyByBody(findCaller));
		open.addHook('preValidation', limit);
		addVerifyKey(open);
	});
	await app.register(async closed => {
		closed.addHook('preValidation', authorizeByBody(findCaller));
		closed.addHook('preValidation', limit);
		addAgentListBodyStyle(closed, store);
	});
};
