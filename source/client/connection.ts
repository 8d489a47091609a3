import {createListReader, type ListReader} from './read-list.ts';
import {createRouter, type Router} from './routes.ts';
import {type Transport} from './transport.ts';

/** What the client's operations work on: the routes of one service, and its lists. */
export type Connection = Router & {readonly list: ListReader};

export const createConnection = (transport: Transport): Connection => {
	const router = createRouter(transport);
	return {...router, list: createListReader(router)};
};
