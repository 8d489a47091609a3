import process from 'node:process';
import type {SwitchboardError} from '../../interface/errors.ts';
import {currentScope} from '../../ssh/session-scope.ts';

const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

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

	// Ink ends the process by a signal that nobody else listens to while a screen is open. The first one ends all in order.
	const onSignal = (signal: NodeJS.Signals): void => {
		setImmediate(() => {
			process.off(signal, onSignal);
		});
	};

	process.on('uncaughtException', onError);
	for (const signal of endingSignals) {
		process.on(signal, onSignal);
	}

	return {
		failed: promise,
		stop() {
			process.off('uncaughtException', onError);
			for (const signal of endingSignals) {
				process.off(signal, onSignal);
			}
		},
	};
};
