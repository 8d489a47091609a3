import {
	fillPath,
	hasIdentifier,
	routesOf,
	type Operation,
	type Route,
} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {type Answer} from './answer.ts';
import {toAnswerError} from './answer-errors.ts';
import {type Call, type Transport} from './transport.ts';

type RouteCall = Omit<Call, 'operation' | 'method' | 'path'>;

/** Statuses that may mean that the path itself is unknown. */
const isPathUnknown = (status: number): boolean => [404, 405, 410, 501].includes(status);

/** True for the error of an answer that may mean that the service does not have the path, or the record that it names. */
export const isUnknown = (error: unknown): error is SwitchboardError =>
	error instanceof SwitchboardError && error.status !== undefined && isPathUnknown(error.status);

/** 2xx; and 304 where that was offered by sending the tag of an answer known from before. */
const isSuccess = (status: number, headers: RouteCall['headers']): boolean =>
	(status >= 200 && status < 300) || (status === 304 && headers?.['if-none-match'] !== undefined);

export type Router = {
	readonly transport: Transport;
	/**
	The first answer that does not mean an unknown path: the documented route first, then the also-seen ones. One of
	those is remembered once it answered 2xx, for as long as this router lives (`LIVE-SERVICE.md`, Behaviour).

	@param call - what to send, for all routes or made for each.
	@throws SwitchboardError for an answer that is no success; where every path is unknown, that of the first one, or of
	the one whose earlier try may have been carried out.
	*/
	call(operation: Operation, id?: number, call?: RouteCall | ((route: Route) => RouteCall)): Promise<Answer>;
};

/**
Finds the route of an operation that a service knows: the documented one first, then those also seen (`LIVE-SERVICE.md`),
from then on the one that answered.
*/
export const createRouter = (transport: Transport): Router => {
	/** The place among the operation's routes of the one that answered 2xx. */
	const remembered = new Map<Operation, number>();

	const call: Router['call'] = async (operation, id, given = {}) => {
		const routes = routesOf(operation);
		const favourite = remembered.get(operation) ?? 0;
		const ordered = [...routes.slice(favourite, favourite + 1), ...routes.toSpliced(favourite, 1)];
		const unknown: Answer[] = [];
		for (const route of ordered) {
			const routeCall = typeof given === 'function' ? given(route) : given;
			const answer = await transport.send({
				...routeCall,
				operation,
				method: route.method,
				path: hasIdentifier(route.path) ? fillPath(route.path, id) : route.path,
			});
			if (isSuccess(answer.status, routeCall.headers)) {
				remembered.set(operation, routes.indexOf(route));
				return answer;
			}

			if (!isPathUnknown(answer.status)) {
				throw toAnswerError(answer, transport);
			}

			unknown.push(answer);
		}

		throw toAnswerError(unknown.find(({isOutcomeUnknown}) => isOutcomeUnknown) ?? unknown[0]!, transport);
	};

	return {transport, call};
};
