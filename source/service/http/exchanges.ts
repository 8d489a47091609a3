import {type IncomingMessage, type ServerResponse} from 'node:http';
import {type Connection, type Exchange} from './connection-pace.ts';

/** How a request ended. */
export type EndedExchange = {
	/** `undefined` if it could not be read. */
	readonly request: IncomingMessage | undefined;
	/** Of the other end of the connection, which may be a proxy; `undefined` if it is closed already. */
	readonly remoteAddress: string | undefined;
	/** 499 if the client left before the answer began, as nginx has it. */
	readonly status: number;
	readonly milliseconds: number;
};

export type UnderWay = {
	readonly unanswered: readonly ServerResponse[];
	/** The answer to a request of which the rest has still to come: only the last one can be such. It may have been sent. */
	readonly unfinished: ServerResponse | undefined;
};

const clientLeft = 499;

const statusOf = ({response, refusedWith}: Exchange): number => refusedWith ?? (response.headersSent ? response.statusCode : clientLeft);

/** Begins an exchange on a connection. It ends when its response is closed, or when `end` is called. */
export const beginExchange = (
	connection: Connection,
	{request, response}: Pick<Exchange, 'request' | 'response'>,
	onEnd: ((ended: EndedExchange) => void) | undefined,
): Exchange => {
	const ended = Promise.withResolvers<void>();
	const exchange: Exchange = {
		request,
		response,
		startedAt: performance.now(),
		turn: connection.exchanges.size === 0 ? undefined : connection.lastEnd,
		isKeyAccepted: false,
		isKeptOpen: false,
		refusedWith: undefined,
		end() {
			if (!connection.exchanges.delete(exchange)) {
				return;
			}

			connection.lastAnswered = request.complete ? undefined : {...exchange, answeredAt: performance.now()};
			ended.resolve();
			onEnd?.({
				request, remoteAddress: request.socket.remoteAddress, status: statusOf(exchange), milliseconds: performance.now() - exchange.startedAt,
			});
		},
	};
	connection.exchanges.add(exchange);
	connection.lastEnd = ended.promise;
	response.once('close', exchange.end);
	return exchange;
};

/** What is under way on a connection. */
export const underWayOn = (connection: Connection | undefined): UnderWay => {
	const current = [...connection?.exchanges ?? []];
	const last = current.at(-1) ?? connection?.lastAnswered;
	return {unanswered: current.map(({response}) => response), unfinished: last?.request.complete === false ? last.response : undefined};
};
