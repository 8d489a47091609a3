import {AsyncLocalStorage} from 'node:async_hooks';

/** What a session's code runs in, so that an error is known to be its own. */
export type SessionScope = {
	/** Runs code of the session. What it throws ends the session, and the result is `undefined`. */
	readonly enter: <Result>(action: () => Result) => Result | undefined;
	/** Ends the session with an error. */
	readonly fail: (error: unknown) => void;
};

const storage = new AsyncLocalStorage<SessionScope>();

/** The scope that the running code belongs to: its timers, streams and promises keep it. */
export const currentScope = (): SessionScope | undefined => storage.getStore();

export const createScope = (fail: (error: unknown) => void): SessionScope => {
	const scope: SessionScope = {
		enter(action) {
			try {
				return storage.run(scope, action);
			} catch (error) {
				// Outside, nobody would know any more whose it is.
				fail(error);
				return undefined;
			}
		},
		fail,
	};
	return scope;
};
