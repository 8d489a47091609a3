import os from 'node:os';
import process from 'node:process';

/** Why the program has to end now. */
export type ExitSignal = {
	readonly reason: 'signal' | 'hangup' | 'error';
	/** What the program has to exit with. */
	readonly exitCode: number;
	/** What was thrown and nobody caught. */
	readonly error?: unknown;
};

/** All that end a program which does not listen to them, but those that nobody can listen to or that Node.js keeps to itself. */
const signals = [
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

/** The exit code that shells give a program ended by a signal. */
const exitCodeOf = (signal: NodeJS.Signals): number => 128 + os.constants.signals[signal];

export const hangup: ExitSignal = {reason: 'hangup', exitCode: exitCodeOf('SIGHUP')};

/**
Watches for what ends a program from outside or by mistake.

@param isDeaf - True while the keyboard's Ctrl+C and Ctrl+\ are meant for a program that has the terminal from us.
@returns what stops watching.
*/
export const watchExitSignals = (onExitSignal: (exitSignal: ExitSignal) => void, isDeaf: () => boolean): (() => void) => {
	const onSignal = (signal: NodeJS.Signals): void => {
		if (!(isDeaf() && (signal === 'SIGINT' || signal === 'SIGQUIT'))) {
			onExitSignal(signal === 'SIGHUP' ? hangup : {reason: 'signal', exitCode: exitCodeOf(signal)});
		}
	};

	// A rejection that nobody handles arrives here as well.
	const onError = (error: unknown): void => {
		onExitSignal({reason: 'error', exitCode: 1, error});
	};

	for (const signal of signals) {
		process.on(signal, onSignal);
	}

	process.on('uncaughtException', onError);
	return () => {
		for (const signal of signals) {
			process.off(signal, onSignal);
		}

		process.off('uncaughtException', onError);
	};
};
