import {AsyncLocalStorage} from 'node:async_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import type {InputStream, OutputStream} from '../platform/standard-streams.ts';
import {isLinear as isLinearTerminal, type Capabilities} from './capabilities.ts';
import type {EarlyInput} from './early-input.ts';
import {createFlowControl} from './flow-control.ts';
import {createFrameWriter, type FrameSize} from './frame-writer.ts';
import {createInkOptions, InkStdin, InkStdout} from './ink-streams.ts';
import {createKeyboardInput} from './keyboard-input.ts';
import {createScreenReaderWriter} from './screen-reader-writer.ts';
import {hangup, type ExitSignal, type TerminalHost} from './terminal-host.ts';
import {mouseOn} from './mouse.ts';
import {enterModes, leaveModes, resetModes, writeSynchronously, type EarlyScreen} from './terminal-modes.ts';
import {createThrottle} from '../platform/timers.ts';

export type {ExitSignal} from './terminal-host.ts';

export type TerminalOptions = {
	readonly host: TerminalHost;
	readonly stdin: InputStream;
	readonly stdout: OutputStream;
	/** A linear terminal gets lines, one after another, on the shell's screen. */
	readonly capabilities: Capabilities;
	/** True if the person wants the mouse. A linear terminal has nothing to click on. */
	readonly isMouseWanted?: boolean | undefined;
	/** True if the connection to the terminal may be slow and may queue a lot. */
	readonly isRemote?: boolean;
	/** The keys typed so far, to be delivered first. */
	readonly earlyInput?: EarlyInput | undefined;
	/** The screen that is shown so far. */
	readonly earlyScreen?: EarlyScreen | undefined;
	/** Called with each frame that Ink draws. */
	readonly onFrame?: ((frame: string) => void) | undefined;
	/**
	The program must end now, with this exit code: after a signal, a hangup or an uncaught error. The terminal has been
	given back already. Called at most once.
	*/
	onEnd(exitSignal: ExitSignal): void;
};

/** While a window is dragged, sizes change faster than a screen can be drawn. */
const redrawIntervalMilliseconds = 50;

/**
A Ctrl+C typed in the borrowing program may reach us after that program has ended, as two threads may handle the two signals. Ignoring it
loses no Ctrl+C for us, because a raw terminal sends no signals.
*/
const lateSignalMilliseconds = 500;

/** After this long without a key the size is read again: in many containers and under `su -c` a change is not announced. */
const pauseMilliseconds = 1000;

const readSize = ({columns = 0, rows = 0}: OutputStream): FrameSize => ({
	columns: columns === 0 ? 80 : columns,
	rows: rows === 0 ? 24 : rows,
});

/** Takes the terminal for the UI. However the program ends, short of SIGKILL, the terminal is given back. */
export function openTerminal(options: TerminalOptions) {
	const {host, stdin, stdout, capabilities, earlyInput, earlyScreen} = options;
	const {jobControl} = host;
	const isLinear = isLinearTerminal(capabilities);
	const isMouseOn = options.isMouseWanted === true && !isLinear;
	const modes = {...capabilities, isMouseOn};
	let state: 'ours' | 'lent' | 'closed' = 'lent';
	let isLending = false;
	let takenBackAt = -Infinity;
	let isHungUp = false;
	let isSizeAsked = false;
	let inputAt = performance.now();
	let flushOtherOutput: (() => void) | undefined;
	let stopWatchingSuspension: (() => void) | undefined;
	const inOwnContext = AsyncLocalStorage.snapshot();

	/**
	Wraps a callback so that it never throws: an error in the callback of a stream or a timer would end every UI of the process. Anything
	that the callback starts, above all for a key, belongs to its UI, not to the source of the bytes.
	*/
	const contained =
		<Parameters extends readonly unknown[]>(action: (...parameters: Parameters) => void) =>
		(...parameters: Parameters): void =>
			inOwnContext(() => {
				try {
					action(...parameters);
				} catch (error) {
					onExitSignal({reason: 'error', exitCode: 1, error});
				}
			});

	const write = contained((bytes: string, onWritten: () => void) => {
		stdout.write(bytes, onWritten);
	});
	const flowControl = createFlowControl(write);
	let size = readSize(stdout);
	const isScreenIntact = earlyScreen?.isIntact === true;
	const writer = (isLinear ? createScreenReaderWriter : createFrameWriter)({
		size,
		capabilities,
		shown: isScreenIntact ? earlyScreen : undefined,
		send: options.isRemote && !isLinear && !capabilities.isPlain ? flowControl.send : write,
		schedule(callback) {
			setImmediate(contained(callback));
		},
	});
	const inkStdin = new InkStdin();
	const inkStdout = new InkStdout(size, frame => {
		options.onFrame?.(frame);
		writer.draw(frame);
	});
	const keyboard = createKeyboardInput({stdin, earlyInput, isMouseOn, onStatus: flowControl.answer, contained});

	const redraw = createThrottle(
		contained(() => {
			const next = readSize(stdout);
			if (!isDeepStrictEqual(next, size)) {
				size = next;
				inkStdout.resize(size);
			}

			// Even for an equal size: between two signals the terminal may have been smaller, and the screen clipped to that.
			writer.repaint(size);
		}),
		redrawIntervalMilliseconds,
	);

	const onResize = contained(() => {
		const isNews = !isSizeAsked || !isDeepStrictEqual(readSize(stdout), size);
		isSizeAsked = false;
		if (state === 'ours' && isNews) {
			redraw.run();
		}
	});

	/** Reads the size again, and draws if it has changed. */
	const readSizeAgain = (): void => {
		isSizeAsked = true;
		host.readSizeAgain();
	};

	const onInput = contained(() => {
		const now = performance.now();
		if (state === 'ours' && now - inputAt >= pauseMilliseconds) {
			readSizeAgain();
		}

		inputAt = now;
	});

	/** @param flushEarlyStderr - ends the buffering of standard error, if there is an early screen. */
	const take = (flushEarlyStderr?: () => void): void => {
		state = 'ours';
		flushOtherOutput ??= flushEarlyStderr ?? host.holdOtherOutput();
		stopWatchingSuspension?.();
		stopWatchingSuspension = jobControl?.watchSuspension(() => {
			void suspend();
		});
		stdin.setRawMode?.(true);
		stdin.resume();
		if (flushEarlyStderr === undefined || !isScreenIntact) {
			stdout.write(enterModes(modes));
		} else if (isMouseOn) {
			stdout.write(mouseOn);
		}

		redraw.cancel();
		redraw.run();
		readSizeAgain();
		keyboard.release();
	};

	const stopDrawing = (): void => {
		keyboard.hold();
		writer.pause();
		redraw.cancel();
	};

	const giveBack = (nextState: 'lent' | 'closed'): void => {
		const wasOurs = state === 'ours';
		state = nextState;
		stopDrawing();
		// The borrowing program may be suspended without us.
		stopWatchingSuspension?.();
		stopWatchingSuspension = undefined;
		if (wasOurs && !isHungUp) {
			writeSynchronously(stdout, leaveModes(modes));
			stdin.setRawMode?.(false);
		}

		stdin.pause();
		flushOtherOutput?.();
		flushOtherOutput = undefined;
	};

	const isState = (expected: typeof state): boolean => state === expected;

	/** Lends the terminal to a callback, and takes it back once that has settled. Keys typed meanwhile go to the borrower. */
	const lend = async <Result>(callback: () => Result | Promise<Result>): Promise<Result> => {
		if (state !== 'ours' || isLending) {
			throw new Error('The terminal is already lent or closed.');
		}

		isLending = true;
		stopDrawing();
		// The next program would take answers of the terminal for keys.
		await flowControl.whenAnswered();
		isLending = false;
		if (!isState('ours')) {
			throw new Error('The terminal was closed.');
		}

		giveBack('lent');
		// Reading stops only with the next turn; until then the keys would still come here.
		await nextTurn();
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

	/** Suspends the program as Ctrl+Z does, until the shell continues it. Does nothing without job control. */
	const suspend = async (): Promise<void> => {
		if (jobControl !== undefined && state === 'ours' && !isLending) {
			await lend(jobControl.suspend);
		}
	};

	const stopWatchingContinuation = jobControl?.watchContinuation(() => {
		if (state !== 'ours') {
			return;
		}

		// Stopped by another process: the shell has reset the terminal without the stream's knowledge.
		stdin.setRawMode?.(false);
		take();
	});

	const giveBackForGood = (): void => {
		stopWatchingContinuation?.();
		giveBack('closed');
		flowControl.forget();
		keyboard.close();
		stdin.off('data', onInput);
		stdin.off('end', onHangup);
		stdin.off('close', onHangup);
		stopWatchingSize();
		stopWatchingExit();
	};

	/** Gives the terminal back for good. May be called again. */
	const close = (): void => {
		if (state === 'closed') {
			return;
		}

		giveBackForGood();
		stopWatchingEnd();
	};

	const onExitSignal = (exitSignal: ExitSignal): void => {
		if (state === 'closed') {
			return;
		}

		// Keep watching: a second signal must not end the process half-way.
		giveBackForGood();
		options.onEnd(exitSignal);
	};

	const onHangup = (): void => {
		isHungUp = true;
		onExitSignal(hangup);
	};

	const stopWatchingEnd = host.watchEnd(onExitSignal, () => state === 'lent' || performance.now() - takenBackAt < lateSignalMilliseconds);
	stdin.on('data', onInput);
	stdin.on('end', onHangup);
	// A connection that is cut brings no end.
	stdin.on('close', onHangup);
	// Stays after the end, because an error event without a listener would be thrown.
	stdin.on('error', onHangup);
	stdout.on('error', onHangup);
	const stopWatchingSize = host.watchSize(onResize);
	const stopWatchingExit = host.watchExit(close);
	earlyInput?.stopWatching();
	take(earlyScreen?.take());

	return {
		/** The options for Ink's `render`. */
		inkOptions: createInkOptions(inkStdin, inkStdout),
		inkStdin,
		inkStdout,
		get size() {
			return size;
		},
		/** Sends keys and pastes to this listener from now on, earlier ones first. */
		listen: keyboard.listen,
		/** Redraws the whole screen, whatever was written on it and whatever modes were left on. */
		repaint(): void {
			if (state !== 'ours') {
				return;
			}

			if (!isLinear) {
				stdout.write(resetModes);
			}

			writer.repaint(size);
			readSizeAgain();
		},
		/**
		Draws nothing more, and resolves when earlier keys were read and the terminal has answered everything: the shell would take either
		for its own input.
		*/
		async settle(): Promise<void> {
			writer.pause();
			// The event that ends the screens may have been read before keys that arrived earlier.
			await nextTurn();
			await nextTurn();
			await flowControl.whenAnswered();
		},
		lend,
		suspend,
		close,
		[Symbol.dispose]: close,
	};
}
