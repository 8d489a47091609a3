import type {FastifyInstance, FastifyReply, FastifyRequest, FastifySchema} from 'fastify';
import * as Type from 'typebox';
import {endpoints, formerVersionsHeader, listVersionsHeader, type Operation, type Route, routesOf} from '../../interface/endpoints.ts';
import type {Caller} from '../callers.ts';
import {errorBody} from '../records.ts';
import {listNames, type ListName, type ListVersions, type Written} from '../store/changes.ts';

/** A request for an operation, after its key and its JSON body were checked. */
export type OperationRequest<Body> = {
	readonly caller: Caller;
	/** The identifier in the path; 0 if the path has none. */
	readonly id: number;
	readonly body: Body;
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
};

const parameterPattern = /\{(?<name>\w+)\}/;

/** The schema of the body for each content type. A form is checked by its route. */
type Bodies<Body extends Type.TSchema> = {readonly 'application/json'?: Body; readonly 'multipart/form-data'?: Type.TSchema};

type OperationRoute<Body extends Type.TSchema, Answer extends Type.TSchema> = {
	readonly body?: Bodies<Body>;
	/** The schema of the query; without it a query is ignored. */
	readonly query?: Type.TSchema;
	readonly answer: Answer;
	/** True if any body is accepted: the schema is then only documentation. */
	readonly isBodyUnchecked?: boolean;
	/** Returns the reply itself if it was sent already, or will not be sent. */
	readonly respond: (request: OperationRequest<Type.Static<Body>>) => Promise<Type.Static<Answer> | FastifyReply>;
};

/**
Adds an operation under its documented path and its also-seen paths (`endpoints`).

@param define - returns the definition for each of the routes, which may accept different requests.
*/
export function addOperation<Body extends Type.TSchema, Answer extends Type.TSchema>(
	app: FastifyInstance,
	operation: Operation,
	define: (route: Route) => OperationRoute<Body, Answer>,
): void {
	const {isWrite} = endpoints[operation];
	for (const [index, route] of distinctRoutesOf(operation).entries()) {
		const definition = define(route);
		app.route({
			method: route.method,
			url: route.path.replace(parameterPattern, ':$<name>'),
			config: {isWrite, operation},
			attachValidation: definition.isBodyUnchecked ?? false,
			schema: schemaOf(operation, route, index, definition),
			async handler(request, reply) {
				const [id = 0] = Object.values(request.params as Record<string, number>);
				return definition.respond({
					// Only `verifyKey`, which does not use it, is answered without one (`createRightsCheck`).
					caller: request.caller!,
					id,
					body: request.body as Type.Static<Body>,
					request,
					reply,
				});
			},
		});
	}
}

/** Returns routes that differ only by a trailing slash as one: the service accepts every path with and without it. */
function distinctRoutesOf(operation: Operation): readonly Route[] {
	const routes = new Map(
		routesOf(operation)
			.toReversed()
			.map(route => [`${route.method} ${withoutTrailingSlash(route.path)}`, route]),
	);
	return [...routes.values()].toReversed();
}

const withoutTrailingSlash = (path: string): string => path.replace(/\/+$/, '');

function schemaOf<Body extends Type.TSchema, Answer extends Type.TSchema>(
	operation: Operation,
	{path}: Route,
	index: number,
	{body, query, answer}: OperationRoute<Body, Answer>,
): FastifySchema {
	const {summary, auth, isDocumented} = endpoints[operation];
	const parameters = parametersOf(path);
	return {
		operationId: index === 0 ? operation : `${operation}AsAlsoSeen${index}`,
		summary,
		tags: [isDocumented && index === 0 ? 'documented' : 'also seen'],
		// Operations with the key in the body have the key in the body's schema.
		security: auth === 'header' ? [{apiKey: []}] : [],
		...(parameters !== undefined && {params: parameters}),
		...(query !== undefined && {querystring: query}),
		...(body !== undefined && {body: bodySchemaOf(body)}),
		response: responsesWith(answer),
	};
}

const responsesWith = (answer: Type.TSchema) => ({200: answer, '4xx': errorBody, '5xx': errorBody});

/** Returns the schema of a path that other services do not have, so that it is not an operation. */
export function ownSchema(operationId: string, summary: string, answer: Type.TSchema, request: FastifySchema = {}): FastifySchema {
	return {operationId, summary, tags: ['ours'], security: [{apiKey: []}], ...request, response: responsesWith(answer)};
}

function parametersOf(path: string): Type.TSchema | undefined {
	const name = parameterPattern.exec(path)?.groups?.['name'];
	return name === undefined ? undefined : Type.Object({[name]: Type.Integer({minimum: 1})});
}

/**
With a schema per content type, Fastify does not check a body of another type, or a missing one. So a schema only for JSON is given without
its content type, as the schema of every body.
*/
const bodySchemaOf = (bodies: Bodies<Type.TSchema>): unknown =>
	'multipart/form-data' in bodies
		? {content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, {schema}]))}
		: bodies['application/json'];

/** Names the version of the list in an answer. */
export function addVersion(reply: FastifyReply, list: ListName, version: string): void {
	void reply.header(listVersionsHeader, formatVersions([list], {[list]: version}));
}

const formatVersions = (lists: readonly ListName[], versions: Partial<ListVersions>): string =>
	lists.map(list => `${list}=${versions[list]}`).join(', ');

/** Names the lists that a client has changed, with their former versions, and returns the rest of the answer. */
export function addVersions<Result>(reply: FastifyReply, {result, versions, former}: Written<Result>): Result {
	const changed = listNames.filter(list => versions[list] !== undefined);
	if (changed.length > 0) {
		void reply.header(listVersionsHeader, formatVersions(changed, versions));
		void reply.header(formerVersionsHeader, formatVersions(changed, former));
	}

	return result;
}
