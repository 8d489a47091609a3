import module from 'node:module';

/** By then what a start needs was compiled, and nobody waits for it. */
const delayMilliseconds = 2000;

/**
Stores compiled code soon, not at the end alone: a session that is cut off would leave none, and the next start would compile
everything again. What is stored already is not stored again.
*/
export const flushCompileCacheSoon = (): void => {
	setTimeout(() => {
		module.flushCompileCache();
	}, delayMilliseconds).unref();
};
