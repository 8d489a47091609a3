import {
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
	type FastifySchema,
} from 'fastify';
import {type Static, type TSchema, Type} from 'typebox';
import {
	endpoints,
	type Operation,
	type Route,
	routesOf,
} from '../../interface/endpoints.ts';
import {type Caller} from '../callers.ts';
import {errorBody} from '../schema-parts.ts';
import {callerOf} from './authorize.ts';

/** One request of an operation, its key accepted and its JSON body checked. */
export type Asked<Body> = {
	readonly caller: Caller;
	/** The identifier in the path; 0 where the path has none. */
	readonly id: number;
	readonly body: Body;
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
};

/** What a body may be, by its content type. A form is checked by whoever reads it. */
type Bodies<Body extends TSchema> = {
	readonly 'application/json'?: Body;
	readonly 'multipart/form-data'?: TSchema;
};

export type OperationRoute<Body extends TSchema, Answer extends TSchema> = {
	readonly body?: Bodies<Body>;
	readonly answer: Answer;
	/** True where any body gets an answer: the schema then only says what is meant. */
	readonly isBodyUnchecked?: boolean;
	readonly respond: (asked: Asked<Static<Body>>) => Promise<Static<Answer>>;
};

const parameterPattern = /\{(?<name>\w+)\}/;

const parametersOf = (path: string): TSchema | undefined => {
	const name = parameterPattern.exec(path)?.groups?.['name'];
	return name === undefined ? undefined : Type.Object({[name]: Type.Integer({minimum: 1})});
};

/**
Where bodies are told apart by their content type, Fastify checks none that has another type, or none at all. So JSON alone
is given as what every body must be.
*/
const bodySchemaOf = (bodies: Bodies<TSchema>): unknown => 'multipart/form-data' in bodies
	? {content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, {schema}]))}
	: bodies['application/json'];

const schemaOf = <Body extends TSchema, Answer extends TSchema>(
	operation: Operation,
	{path}: Route,
	index: number,
	{body, answer}: OperationRoute<Body, Answer>,
): FastifySchema => {
	const {summary, auth, isDocumented} = endpoints[operation];
	const parameters = parametersOf(path);
	return {
		operationId: index === 0 ? operation : `${operation}AsAlsoSeen${index}`,
		summary,
		tags: [isDocumented && index === 0 ? 'documented' : 'also seen'],
		// The body family has its key in the body's schema.
		security: auth === 'header' ? [{apiKey: []}] : [],
		...(parameters !== undefined && {params: parameters}),
		...(body !== undefined && {body: bodySchemaOf(body)}),
		response: {200: answer, '4xx': errorBody, '5xx': errorBody},
	};
};

const withoutLastSlash = (path: string): string => path.replace(/\/+$/, '');

/** Two routes that differ by their last slash alone are one: the service takes every path with and without it. */
const distinctRoutesOf = (operation: Operation): readonly Route[] => {
	const routes = new Map(routesOf(operation).toReversed().map(route => [`${route.method} ${withoutLastSlash(route.path)}`, route]));
	return [...routes.values()].toReversed();
};

/**
Adds an operation under its documented path and under the also-seen ones (`endpoints`).

@param define - gives the definition for each of the routes, which may differ in what they take.
*/
export const addOperation = <Body extends TSchema, Answer extends TSchema>(
	app: FastifyInstance,
	operation: Operation,
	define: (route: Route) => OperationRoute<Body, Answer>,
): void => {
	const {isWrite} = endpoints[operation];
	for (const [index, route] of distinctRoutesOf(operation).entries()) {
		const definition = define(route);
		app.route({
			method: route.method,
			url: route.path.replace(parameterPattern, ':$<name>'),
			config: {isWrite},
			attachValidation: definition.isBodyUnchecked ?? false,
			schema: schemaOf(operation, route, index, definition),
			async handler(request, reply) {
				const [id = 0] = Object.values(request.params as Record<string, number>);
				return definition.respond({
					get caller() {
						return callerOf(request);
					},
					id,
					body: request.body as Static<Body>,
					request,
					reply,
				});
			},
		});
	}
};
