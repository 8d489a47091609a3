import {descriptionPath, endpoints, routesOf, type Operation} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {keyRights, type KeyLimits, type KeyRights} from '../interface/key-rights.ts';
import {deleteAbility, editAbility, getAbility, uploadAbility} from './abilities.ts';
import {keyRefusedStep, toUnintelligibleError} from './answer-errors.ts';
import {readChanges, readHistory} from './changes.ts';
import type * as Conversations from './conversation.ts';
import {editAgent} from './edit-agent.ts';
import {editInstalled, installAbility, keepsTimers, uninstallAbility} from './installed.ts';
import type {Connection} from './lists.ts';
import {enableRelease, getInstalledByAbility, getKeptSource, getTemplateFile, listReleases, releaseCode} from './releases.ts';
import {sendRequest} from './routes.ts';

// Loaded with the first conversation: the screens start without it.
const openConversation: typeof Conversations.openConversation = async (...inputs) => {
	const conversations = await import('./conversation.ts');
	return conversations.openConversation(...inputs);
};

const followCallLogs: typeof Conversations.followCallLogs = async (...inputs) => {
	const conversations = await import('./conversation.ts');
	return conversations.followCallLogs(...inputs);
};

/** Every operation of the client except listing; each is documented at its function. */
const operations = {
	getAbility,
	editInstalled,
	editAgent,
	editAbility,
	uploadAbility,
	deleteAbility,
	installAbility,
	uninstallAbility,
	getInstalledByAbility,
	getTemplateFile,
	getKeptSource,
	listReleases,
	releaseCode,
	enableRelease,
	getDescribedOperations,
	readHistory,
	readChanges,
	openConversation,
	followCallLogs,
	sendRequest,
	getKeyLimits,
	keepsTimers,
	verifyKey,
	checkKey,
} as const;

type Bound<Operation> = Operation extends (connection: Connection, ...inputs: infer Inputs) => infer Result
	? (...inputs: Inputs) => Result
	: never;

/** The operations of one service, with one key. All throw `SwitchboardError`. */
export type Client = {readonly baseAddress: string; readonly list: Connection['list']} & {
	readonly [Name in keyof typeof operations]: Bound<(typeof operations)[Name]>;
};

/** Runs work on a connection, which may have to be opened first. */
type Run = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** Returns a client whose operations go through `run`. */
export function bindClient(baseAddress: string, run: Run): Client {
	const bound = Object.entries(operations).map(([name, operation]) => [
		name,
		async (...inputs: readonly unknown[]) =>
			run(async connection => (operation as (...all: readonly unknown[]) => Promise<unknown>)(connection, ...inputs)),
	]);
	return {
		baseAddress,
		list: async (resource, signal, before) => run(async connection => connection.list(resource, signal, before)),
		...(Object.fromEntries(bound) as Omit<Client, 'baseAddress' | 'list'>),
	};
}

/** A service's answer about a key. Only the bundled service says more than whether the key is valid. */
export type VerifiedKey = {
	readonly isValid: boolean;
	/** `undefined` if the service does not say. */
	readonly rights?: KeyRights | undefined;
	/** When it ends, as ISO 8601. */
	readonly expiresAt?: string | undefined;
	/** True for a key of an `ssh-serve`: the service then wants to know the person behind each request. */
	readonly isForSsh: boolean;
};

/** Returns the limits of a restricted key, once an answer has named them. */
async function getKeyLimits({transport}: Connection): Promise<KeyLimits | undefined> {
	return transport.keyLimits();
}

/**
Asks the service whether the key is valid, with its operation for that.

@throws SwitchboardError `not-found` if the service has no such operation.
*/
async function verifyKey({call}: Connection, signal?: AbortSignal): Promise<VerifiedKey> {
	const answer = await call('verifyKey', undefined, {json: {}, signal});
	const {valid, rights, for_ssh: forSsh, expires_at: end} = answer.fields();
	if (typeof valid !== 'boolean') {
		throw toUnintelligibleError(answer, 'whether the key is valid');
	}

	return {
		isValid: valid,
		rights: keyRights.find(each => each === rights),
		expiresAt: typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? new Date(end).toISOString() : undefined,
		isForSsh: valid && forSsh === true,
	};
}

/**
Checks that there is a service at the address and that it accepts the key.

@throws SwitchboardError if not, such as `key-refused`.
*/
async function checkKey(connection: Connection, signal?: AbortSignal): Promise<void> {
	// Not every service verifies keys; the documented list decides.
	let isValid = true;
	try {
		({isValid} = await verifyKey(connection, signal));
	} catch (error) {
		// A service without that operation may answer anything, even 401: the key is not in the header.
		if (!(error instanceof SwitchboardError) || error.status === undefined) {
			throw error;
		}
	}

	// If the list is refused too, the service's own message has the next step.
	await connection.list('installed', signal);
	if (!isValid) {
		throw new SwitchboardError('key-refused', `The service refused ${connection.transport.keyName()}.`, {nextStep: keyRefusedStep});
	}
}

/** Many times the description of this interface. */
const maximumBytes = 4 * 1024 * 1024;

/**
Returns the operations in the service's OpenAPI document; `undefined` if it has none, or one that shows no operation of the interface. No
key is sent.

@throws SwitchboardError if no answer came, or one that is too large.
*/
async function getDescribedOperations({transport}: Connection, signal?: AbortSignal) {
	const answer = await transport.send({operation: undefined, method: 'GET', path: descriptionPath, signal, maximumBytes});
	const isJson = /^application\/(?:[\w+\-.]+\+)?json\b/i.test(answer.headers['content-type'] ?? '');
	const {paths} = answer.status === 200 && isJson ? answer.fields() : {};
	const operations = isJsonObject(paths) ? operationsIn(paths) : new Set<Operation>();
	return operations.size === 0 ? undefined : operations;
}

/** Returns the operations with a route among the paths of an OpenAPI document. */
function operationsIn(paths: JsonObject): ReadonlySet<Operation> {
	const described = new Set(Object.entries(paths).flatMap(([path, item]) => methodsOf(item).map(method => `${method} ${pathKey(path)}`)));
	const operations = Object.keys(endpoints) as readonly Operation[];
	return new Set(operations.filter(operation => routesOf(operation).some(({method, path}) => described.has(`${method} ${pathKey(path)}`))));
}

const methodsOf = (item: JsonValue): readonly string[] => (isJsonObject(item) ? Object.keys(item).map(method => method.toUpperCase()) : []);

/** Services name the identifiers in their paths as they like, and most paths work with and without the last slash. */
const pathKey = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
