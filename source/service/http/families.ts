import {type Buffer} from 'node:buffer';
import {type FastifyInstance, type preHandlerAsyncHookHandler} from 'fastify';
import {type Lists} from '../lists/lists.ts';
import {addDeleteAbility} from '../routes/delete-ability.ts';
import {addEditAgent} from '../routes/edit-agent.ts';
import {addInstallRoutes} from '../routes/install.ts';
import {addSourceRoutes} from '../routes/source.ts';
import {addUploadAbility} from '../routes/upload-ability.ts';
import {addEditInstalled} from '../routes/edit-installed.ts';
import {addDetails, addLists} from '../routes/read-records.ts';
import {addAgentListBodyStyle, addVerifyKey} from '../routes/sdk.ts';
import {type Store} from '../store/store.ts';
import {type Admission} from './admission.ts';
import {addChangeFeed} from './change-feed.ts';
import {type Connections} from './connections.ts';
import {acceptForms} from './forms.ts';
import {type KeyWatch} from './key-watch.ts';
import {type LineLimits} from './line-limits.ts';
import {refuseWrites} from './read-only.ts';
import {
	authorizeByBody,
	authorizeByHeader,
	identifyByBody,
	type KeyCheck,
} from './authorize.ts';

type FamilyParts = {
	readonly store: Store;
	readonly lists: Lists;
	readonly connections: Connections;
	readonly limits: LineLimits;
	readonly keyWatch: KeyWatch;
	readonly keyCheck: KeyCheck;
	readonly admission: Admission;
	readonly limit: preHandlerAsyncHookHandler;
	/** True to refuse every change. */
	readonly isReadOnly: boolean;
};

const addForms = async (app: FastifyInstance, store: Store): Promise<void> => {
	await acceptForms(app);
	addEditAgent(app, store);
	addUploadAbility(app, store);
	addSourceRoutes(app, store);
};

/** The operations that take the key in a header, which is checked before the body is read. */
export const addHeaderFamily = async (app: FastifyInstance, parts: FamilyParts): Promise<void> => {
	const {store, lists, keyCheck, admission, limit, isReadOnly} = parts;
	app.addHook('onRequest', authorizeByHeader(keyCheck));
	app.addHook('onRequest', limit);
	if (isReadOnly) {
		app.addHook('onRequest', refuseWrites);
	}

	app.addHook('onRequest', admission.admitBody);

	addChangeFeed(app, parts);
	addDetails(app, store);
	addEditInstalled(app, store);
	addInstallRoutes(app, store);
	addDeleteAbility(app, store);
	await app.register(async forms => addForms(forms, store));
	addLists(app, store, lists);
};

/** A key, and not much more. It is read before the key is known. */
const bodyLimitBytes = 64 * 1024;

/** A body that is not JSON contains no key either: the answer is the same (401), so that callers without a key learn nothing else. */
const readAnyBody = (app: FastifyInstance): void => {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', {parseAs: 'string', bodyLimit: bodyLimitBytes}, async (_request: unknown, body: string | Buffer): Promise<unknown> => {
		try {
			return JSON.parse(String(body)) as unknown;
		} catch {
			return undefined;
		}
	});
};

/** The operations that take the key as a field of the JSON body. */
export const addBodyFamily = async (app: FastifyInstance, {store, lists, keyCheck, limit}: FamilyParts): Promise<void> => {
	readAnyBody(app);
	await app.register(async open => {
		open.addHook('preValidation', identifyByBody(keyCheck));
		open.addHook('preValidation', limit);
		addVerifyKey(open);
	});
	await app.register(async closed => {
		closed.addHook('preValidation', authorizeByBody(keyCheck));
		closed.addHook('preValidation', limit);
		addAgentListBodyStyle(closed, store, lists);
	});
};
