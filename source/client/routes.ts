import {fillPath, routesOf, type Operation, type Route} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import type {RawRequest} from '../interface/raw-request.ts';
import type {Answer} from './answer.ts';
import {toAnswerError} from './answer-errors.ts';
import type {Call} from './call.ts';
import type {Transport} from './transport.ts';

export type RouteCall = Omit<Call, 'operation' | 'method' | 'path'> & {
	/** With its question mark. */
	readonly query?: string | undefined;
};

/** Statuses that may mean that the path itself is unknown. */
const isPathUnknown = (status: number): boolean => [404, 405, 410, 501].includes(status);

/** Tells whether this is an error that may mean that the service does not know the path, or the record in it. */
export function isUnknown(error: unknown): error is SwitchboardError {
	return error instanceof SwitchboardError && error.status !== undefined && isPathUnknown(error.status);
}

/** 2xx, or 304 to a conditional request. */
const isSuccess = (status: number, headers: RouteCall['headers']): boolean =>
	(status >= 200 && status < 300) || (status === 304 && headers?.['if-none-match'] !== undefined);

/** Finds the routes that a service knows. */
export function createRouter(transport: Transport) {
	/** The routes of an operation, with the one that answered 2xx first. */
	const remembered = new Map<Operation, readonly Route[]>();

	/**
	Returns the first answer that does not mean an unknown path: from the documented route, then from the also-seen ones. The route that
	answered 2xx is tried first from then on, as long as this router lives (`docs/interface.md`, Paths).

	@param given - one for all routes, or a function of the route.
	@throws SwitchboardError for an answer that is not a success. If every path is unknown, the error is about the first one, or about one
	whose earlier attempt may have been carried out.
	*/
	const call = async (operation: Operation, id?: number, given: RouteCall | ((route: Route) => RouteCall) = {}): Promise<Answer> => {
		const routes = remembered.get(operation) ?? routesOf(operation);
		const unknown: Answer[] = [];
		for (const route of routes) {
			const {query = '', ...routeCall} = typeof given === 'function' ? given(route) : given;
			const answer = await transport.send({...routeCall, operation, method: route.method, path: fillPath(route.path, id) + query});
			if (isSuccess(answer.status, routeCall.headers)) {
				remembered.set(operation, [route, ...routesOf(operation).filter(other => other.path !== route.path)]);
				return answer;
			}

			if (!isPathUnknown(answer.status)) {
				throw await transport.explain(operation, answer, routeCall.signal);
			}

			unknown.push(answer);
		}

		throw toAnswerError(unknown.find(({isOutcomeUnknown}) => isOutcomeUnknown) ?? unknown[0]!, transport.keyName);
	};

	return {transport, call};
}

export type Router = ReturnType<typeof createRouter>;

/**
Sends a request that a person wrote, inside or outside the documented operations: a change once, a read up to three times. Follows no
redirect.

@param body - JSON; an object where the key goes into it.
@returns the answer, and the error to report if it is not a success.
@throws SwitchboardError if there is no answer.
*/
export async function sendRequest(
	{transport}: Pick<Router, 'transport'>,
	{method, path, isWrite, auth}: RawRequest,
	body?: string,
	signal?: AbortSignal,
): Promise<{readonly answer: Answer; readonly error: SwitchboardError | undefined}> {
	const json = auth === 'body' && body !== undefined ? (JSON.parse(body) as JsonValue) : {};
	const answer = await transport.send({
		operation: undefined,
		sending: {isWrite, auth},
		method,
		path,
		signal,
		...(auth === 'body' ? {json: isJsonObject(json) ? json : {}} : {jsonText: body}),
	});
	return {answer, error: answer.status >= 200 && answer.status < 300 ? undefined : toAnswerError(answer, transport.keyName)};
}
