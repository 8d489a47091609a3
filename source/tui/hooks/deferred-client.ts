import {setImmediate as nextTurn} from 'node:timers/promises';
import {type Connection} from '../../client/connection.ts';
import {bindClient, type Client} from '../../client/operations.ts';

/**
A client without a connection at first: the screens draw before the code that makes requests is loaded, and the bundled
service may still be starting. Each operation waits for the connection, and fails with the reason if there is none.

@param baseAddress - the address to show until then.
@param connect - called once, by the first operation.
@param explain - returns the error to throw instead of an operation's error.
*/
export const createDeferredClient = (baseAddress: string, connect: () => Promise<Connection>, explain: (error: unknown) => unknown = error => error): Client => {
	let connection: Promise<Connection> | undefined;
	const connectLater = async (): Promise<Connection> => {
		// The first frame is drawn in this turn of the event loop: loading the code that makes requests would hold it up.
		await nextTurn();
		return connect();
	};

	return bindClient(baseAddress, async work => {
		try {
			connection ??= connectLater();
			return await work(await connection);
		} catch (error) {
			throw explain(error);
		}
	});
};
