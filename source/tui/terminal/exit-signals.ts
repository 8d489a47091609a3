import os from 'node:os';
import process from 'node:process';

/** Why the program has to end now. */
export type ExitSignal = {
	readonly reason: 'signal' | 'hangup' | 'error';
	/** The exit code for the program. */
	readonly exitCode: number;
	/** The uncaught error, or why a session over SSH ends. */
	readonly error?: unknown;
};

/** The signals that end a program by default, without those that cannot be caught or that Node.js reserves. `SIGUSR1` is ignored. */
export const endingSignals = [
	'SIGABRT',
	'SIGALRM',
	'SIGHUP',
	'SIGINT',
	'SIGIO',
	'SIGPWR',
	'SIGQUIT',
	'SIGSTKFLT',
	'SIGSYS',
	'SIGTERM',
	'SIGTRAP',
	'SIGUSR2',
	'SIGVTALRM',
	'SIGXCPU',
	'SIGXFSZ',
] as const;

/** The exit code that shells report for a program ended by a signal. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + os.constants.signals[signal];

export const hangup: ExitSignal = {reason: 'hangup', exitCode: exitCodeOf('SIGHUP')};

/**
Watches for signals and uncaught errors.

@param isForBorrower - True while Ctrl+C and Ctrl+\ are meant for a program that the terminal is lent to.
@returns a function that stops watching.
*/
export const watchExitSignals = (onExitSignal: (exitSignal: ExitSignal) => void, isForBorrower: () => boolean): (() => void) => {
	const onSignal = (signal: NodeJS.Signals): void => {
		if (!(isForBorrower() && (signal === 'SIGINT' || signal === 'SIGQUIT'))) {
			onExitSignal(signal === 'SIGHUP' ? hangup : {reason: 'signal', exitCode: exitCodeOf(signal)});
		}
	};

	// Unhandled rejections arrive here too.
	const onError = (error: unknown): void => {
		onExitSignal({reason: 'error', exitCode: 1, error});
	};

	for (const signal of endingSignals) {
		process.on(signal, onSignal);
	}

	process.on('uncaughtException', onError);
	return () => {
		for (const signal of endingSignals) {
			process.off(signal, onSignal);
		}

		process.off('uncaughtException', onError);
	};
};
