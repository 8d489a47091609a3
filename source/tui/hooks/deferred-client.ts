import {AsyncLocalStorage} from 'node:async_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {type Connection} from '../../client/connection.ts';
import {bindClient, type Client} from '../../client/operations.ts';

/**
A client without a connection at first: the screens draw before the code that makes requests is loaded, and the bundled
service may still be starting. Each operation waits for the connection, and fails with the reason if there is none.

@param baseAddress - the address to show until then.
@param connect - called by each operation; the connection may be another one than the last.
@param explain - returns the error to throw instead of an operation's error.
*/
export const createDeferredClient = (baseAddress: string, connect: () => Promise<Connection>, explain: (error: unknown) => unknown = error => error): Client => {
	// The first frame is drawn in this turn of the event loop: loading the code that makes requests would hold it up.
	let firstFrame: Promise<void> | undefined;
	// React draws all screens of a process in one loop, in which many requests begin: each belongs to whom the client was made for.
	const inOwnContext = AsyncLocalStorage.snapshot();
	return bindClient(baseAddress, async work => inOwnContext(async () => {
		try {
			firstFrame ??= nextTurn();
			await firstFrame;
			return await work(await connect());
		} catch (error) {
			throw explain(error);
		}
	}));
};
