import {
	descriptionPath,
	endpoints,
	routesOf,
	type Operation,
} from '../interface/endpoints.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {type Connection} from './connection.ts';

/** Many times the description of this interface. */
const maximumBytes = 4 * 1024 * 1024;

/** Services name the identifiers in their paths as they like, and most paths work with and without the last slash. */
const pathKey = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');

const methodsOf = (item: JsonValue): readonly string[] => isJsonObject(item) ? Object.keys(item).map(method => method.toUpperCase()) : [];

/** The operations with a route among the paths of an OpenAPI document. */
const operationsIn = (paths: JsonObject): ReadonlySet<Operation> => {
	const described = new Set(Object.entries(paths).flatMap(([path, item]) => methodsOf(item).map(method => `${method} ${pathKey(path)}`)));
	const operations = Object.keys(endpoints) as readonly Operation[];
	return new Set(operations.filter(operation => routesOf(operation).some(({method, path}) => described.has(`${method} ${pathKey(path)}`))));
};

/**
The operations that the service's OpenAPI document shows; `undefined` if it has none, or one that shows no operation of the
interface. No key is sent.

@throws SwitchboardError if no answer came, or one that is too large.
*/
export const getDescribedOperations = async ({transport}: Connection, signal?: AbortSignal): Promise<ReadonlySet<Operation> | undefined> => {
	const answer = await transport.send({
		operation: undefined, method: 'GET', path: descriptionPath, signal, maximumBytes,
	});
	const isJson = /^application\/(?:[\w+\-.]+\+)?json\b/i.test(answer.headers['content-type'] ?? '');
	const {paths} = answer.status === 200 && isJson ? answer.fields() : {};
	const operations = isJsonObject(paths) ? operationsIn(paths) : new Set<Operation>();
	return operations.size === 0 ? undefined : operations;
};
