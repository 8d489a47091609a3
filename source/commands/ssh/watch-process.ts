import process from 'node:process';
import type {SwitchboardError} from '../../interface/errors.ts';
import {currentScope} from '../../ssh/session-scope.ts';

/** Watches the process while it serves sessions. */
export type ProcessWatch = {
	/** Resolves with the first error that belongs to no session. Those of sessions end these. */
	readonly failed: Promise<SwitchboardError>;
	readonly stop: () => void;
};

/** @param report - tells of an error that belongs to no session, and explains it. */
export const watchProcess = (report: (error: unknown) => SwitchboardError): ProcessWatch => {
	const {promise, resolve} = Promise.withResolvers<SwitchboardError>();
	const onError = (error: unknown): void => {
		const scope = currentScope();
		if (scope === undefined) {
			resolve(report(error));
		} else {
			scope.fail(error);
		}
	};

	process.on('uncaughtException', onError);
	return {
		failed: promise,
		stop() {
			process.off('uncaughtException', onError);
		},
	};
};
