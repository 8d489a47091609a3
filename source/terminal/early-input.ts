import {Buffer} from 'node:buffer';
import os from 'node:os';
import process from 'node:process';
import {withPlainKeys} from './encoded-keys.ts';

/** The signals that end a program by default, without those that cannot be caught or that Node.js reserves. `SIGUSR1` is ignored. */
export const endingSignals =
	'SIGABRT SIGALRM SIGHUP SIGINT SIGIO SIGPWR SIGQUIT SIGSTKFLT SIGSYS SIGTERM SIGTRAP SIGUSR2 SIGVTALRM SIGXCPU SIGXFSZ'.split(
		' ',
	) as readonly NodeJS.Signals[];

/** Returns the exit code that shells report for a program ended by a signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
	return 128 + os.constants.signals[signal];
}

/**
Reads the keyboard from the start, so that no key typed while the program loads is lost or echoed. Ctrl+C exits at once, with exit code 0 as
in the UI; a hangup exits with 129, and a signal as it does in the UI.

@returns `undefined` if input or output is not a terminal; then nothing is changed.
*/
export function startEarlyInput() {
	const {stdin, stdout} = process;
	if (!stdin.isTTY || !stdout.isTTY) {
		return undefined;
	}

	let isReading = true;
	const chunks: Uint8Array[] = [];

	const end = (exitCode: number): void => {
		stdin.setRawMode(false);
		// Nothing else that could end the program is loaded yet.
		// eslint-disable-next-line unicorn/no-process-exit
		process.exit(exitCode);
	};

	const onData = (chunk: Uint8Array): void => {
		chunks.push(chunk);
		// The key may be encoded, and arrive in two parts.
		if (withPlainKeys(Buffer.concat(chunks).toString('latin1')).includes('\u{3}')) {
			end(0);
		}
	};

	const onHangup = (): void => end(exitCodeOf('SIGHUP'));

	const onSignal = (signal: NodeJS.Signals): void => end(exitCodeOf(signal));

	const stopWatching = (): void => {
		for (const signal of endingSignals) {
			process.off(signal, onSignal);
		}
	};

	// Node.js still believes the terminal to be raw, although the shell has changed its mode meanwhile.
	const onContinue = (): void => {
		stdin.setRawMode(false);
		stdin.setRawMode(true);
	};

	const stopReading = (): void => {
		isReading = false;
		stopWatching();
		process.off('SIGCONT', onContinue);
		stdin.off('data', onData);
		stdin.off('end', onHangup);
		stdin.off('error', onHangup);
	};

	stdin.on('data', onData);
	stdin.on('end', onHangup);
	stdin.on('error', onHangup);
	// These would end the program and leave the terminal raw.
	for (const signal of endingSignals) {
		process.on(signal, onSignal);
	}

	process.on('SIGCONT', onContinue);
	stdin.setRawMode(true);

	return {
		/** The caller watches for signals from now on. */
		stopWatching,
		/** Returns everything typed so far and stops reading; the caller must read on before this turn of the event loop ends. */
		take(): Uint8Array {
			stopReading();
			return Buffer.concat(chunks.splice(0));
		},
		/** Gives the terminal back if no UI will start. Does nothing once the input was taken. */
		release(): void {
			if (!isReading) {
				return;
			}

			stopReading();
			stdin.setRawMode(false);
			stdin.pause();
		},
	};
}

export type EarlyInput = NonNullable<ReturnType<typeof startEarlyInput>>;
