import {AsyncLocalStorage} from 'node:async_hooks';

/**
Returns a function that makes a callback that never throws of one that may.

What is thrown in the callback of a stream or a timer would end more than one UI where there are many in a process. And what a
callback begins, a key above all, must belong to its UI, not to whatever brought the bytes.
*/
export const createContainment = (onError: (error: unknown) => void) => {
	const inOwnContext = AsyncLocalStorage.snapshot();
	return <Parameters extends readonly unknown[]>(action: (...parameters: Parameters) => void) => (...parameters: Parameters): void => {
		inOwnContext(() => {
			try {
				action(...parameters);
			} catch (error) {
				onError(error);
			}
		});
	};
};
