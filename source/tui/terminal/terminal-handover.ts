import {type InputStream, type OutputStream} from '../../platform/standard-streams.ts';
import {type TerminalHost} from './terminal-host.ts';
import {
	enterModes,
	leaveModes,
	writeSynchronously,
	type ScreenKind,
} from './terminal-modes.ts';

export type HandoverOptions = {
	readonly host: TerminalHost;
	readonly stdin: InputStream;
	readonly stdout: OutputStream;
	readonly kind: ScreenKind;
	rows(): number;
	/** The terminal is ours, perhaps again, and shows nothing of the UI yet. */
	onTake(): void;
	/** The terminal is about to be given back: draw nothing from now on. */
	onGiveBack(): void;
	/** Resolves when the terminal sends nothing more by itself that the next program would take for keys. */
	whenQuiet(): Promise<void>;
};

export type TerminalHandover = {
	readonly state: 'ours' | 'lent' | 'closed';
	/** @param flushEarlyStderr - ends the buffering of standard error, if the terminal has the modes of the UI already. */
	take(flushEarlyStderr?: () => void): void;
	/** Lends the terminal to a callback, and takes it back once that has settled. Keys typed meanwhile go to the borrower. */
	lend<Result>(callback: () => Result | Promise<Result>): Promise<Result>;
	/** Suspends the program as Ctrl+Z does, until the shell continues it. Does nothing without job control. */
	suspend(): Promise<void>;
	/** Gives the terminal back for good; writes nothing if it has hung up. */
	close(isHungUp: boolean): void;
	/** Whether a signal of the keyboard, such as Ctrl+C, may be meant for a program that the terminal is or was lent to. */
	isForBorrower(): boolean;
};

/**
A Ctrl+C typed in the borrowing program may reach us after that program has ended: two threads may handle the two signals.
No Ctrl+C of ours is lost meanwhile, as a raw terminal sends no signals.
*/
const lateSignalMilliseconds = 500;

/** Switches the terminal between the UI and other programs: its modes, raw input, standard error and Ctrl+Z. */
export const createHandover = ({host, stdin, stdout, kind, rows, onTake, onGiveBack, whenQuiet}: HandoverOptions): TerminalHandover => {
	let state: TerminalHandover['state'] = 'lent';
	let isLending = false;
	let takenBackAt = -Infinity;
	let flushOtherOutput: (() => void) | undefined;
	let stopWatchingSuspension: (() => void) | undefined;
	const {jobControl} = host;

	const onSuspendSignal = (): void => {
		void suspend();
	};

	const take = (flushEarlyStderr?: () => void): void => {
		state = 'ours';
		flushOtherOutput ??= flushEarlyStderr ?? host.holdOtherOutput();
		stopWatchingSuspension?.();
		stopWatchingSuspension = jobControl?.watchSuspension(onSuspendSignal);
		stdin.setRawMode?.(true);
		stdin.resume();
		if (flushEarlyStderr === undefined) {
			stdout.write(enterModes(kind, rows()));
		}

		onTake();
	};

	const giveBack = (nextState: 'lent' | 'closed', isHungUp = false): void => {
		const wasOurs = state === 'ours';
		state = nextState;
		onGiveBack();
		// The borrowing program may be suspended without us.
		stopWatchingSuspension?.();
		stopWatchingSuspension = undefined;
		if (wasOurs && !isHungUp) {
			writeSynchronously(stdout, leaveModes(kind, rows()));
			stdin.setRawMode?.(false);
		}

		stdin.pause();
		flushOtherOutput?.();
		flushOtherOutput = undefined;
	};

	const isState = (expected: typeof state): boolean => state === expected;

	const lend = async <Result>(callback: () => Result | Promise<Result>): Promise<Result> => {
		if (state !== 'ours' || isLending) {
			throw new Error('The terminal is already lent or closed.');
		}

		isLending = true;
		onGiveBack();
		await whenQuiet();
		isLending = false;
		if (!isState('ours')) {
			throw new Error('The terminal was closed.');
		}

		giveBack('lent');
		// Reading stops only with the next turn; until then we would still get the keys.
		await new Promise(resolve => {
			setImmediate(resolve);
		});
		try {
			return await callback();
		} finally {
			// The callback may have seen the terminal closed.
			if (isState('lent')) {
				takenBackAt = performance.now();
				take();
			}
		}
	};

	const suspend = async (): Promise<void> => {
		if (jobControl !== undefined && state === 'ours' && !isLending) {
			await lend(jobControl.suspend);
		}
	};

	const onContinue = (): void => {
		if (state === 'ours') {
			// Stopped by another process: the shell has reset the terminal without the stream's knowledge.
			stdin.setRawMode?.(false);
			take();
		}

		jobControl?.readSizeAgain();
	};

	const stopWatchingContinuation = jobControl?.watchContinuation(onContinue);

	return {
		get state() {
			return state;
		},
		take,
		lend,
		suspend,
		close(isHungUp) {
			stopWatchingContinuation?.();
			giveBack('closed', isHungUp);
		},
		isForBorrower: () => state === 'lent' || performance.now() - takenBackAt < lateSignalMilliseconds,
	};
};
