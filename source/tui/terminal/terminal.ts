import process from 'node:process';
import {type ReadStream, type WriteStream} from 'node:tty';
import {detectCapabilities, type Capabilities} from './capabilities.ts';
import {startEarlyInput, type EarlyInput} from './early-input.ts';
import {hangup, watchExitSignals, type ExitSignal} from './exit-signals.ts';
import {
	createFrameWriter,
	type FrameWriterOptions,
	type ScreenWriter,
	type Size,
} from './frame-writer.ts';
import {
	createInkOptions,
	InkStdin,
	InkStdout,
	type InkOptions,
} from './ink-streams.ts';
import {bufferStderr} from './buffer-stderr.ts';
import {hasJobControl, suspendJob} from './job-control.ts';
import {createKeyboardInput} from './keyboard-input.ts';
import {type KeyboardEvents} from './key-reader.ts';
import {createThrottle} from './throttle.ts';
import {enterModes, leaveModes, writeSynchronously} from './terminal-modes.ts';

export type {ExitSignal} from './exit-signals.ts';

export type TerminalOptions = {
	readonly stdin: ReadStream;
	readonly stdout: WriteStream;
	/** False draws on the screen where the shell is; what was drawn stays there. */
	readonly isAlternateScreen: boolean;
	/** Another way to draw, in place of frames at fixed places: with `isLinear` it only ever adds lines, as to be listened to. */
	readonly createWriter?: ((options: FrameWriterOptions) => ScreenWriter) | undefined;
	readonly isLinear?: boolean | undefined;
	readonly capabilities?: Capabilities | undefined;
	/** What has read the keyboard so far; its keys come first. */
	readonly earlyInput?: EarlyInput | undefined;
	/**
	The program must end now, with this exit code: a signal, a line that has gone, an error that nobody caught. The
	terminal has been given back already. Called once at most.
	*/
	onEnd(exitSignal: ExitSignal): void;
};

export type Terminal = {
	/** What to give to Ink's `render`. */
	readonly inkOptions: InkOptions;
	readonly inkStdin: InkStdin;
	readonly inkStdout: InkStdout;
	readonly size: Size;
	/** Sends keys and pastes here from now on, those typed before first. */
	listen(events: KeyboardEvents): void;
	/** Draws everything anew, on a screen that something else has written on. */
	repaint(): void;
	/** Gives the terminal to a callback, and takes it again when that has settled. Keys that come meanwhile are not ours. */
	lend<Result>(callback: () => Result | Promise<Result>): Promise<Result>;
	/** Stops the program as Ctrl+Z does, until the shell lets it go on. Does nothing where there is no such thing. */
	suspend(): Promise<void>;
	/** Gives the terminal back for good. May be called again. */
	close(): void;
};

const readSize = ({columns, rows}: WriteStream): Size => ({columns: columns || 80, rows: rows || 24});

/**
Ctrl+C for a program that had the terminal may be told to us when that program has ended already: two signals can be taken
by two threads. Nothing of our own is missed meanwhile, as a raw terminal makes no signals.
*/
const lateSignalMilliseconds = 500;

/** While a window is dragged, sizes come faster than a screen can be drawn. */
const resizeRestMilliseconds = 50;

/** Takes the terminal for the UI. Whatever happens to the program, short of SIGKILL, the terminal is given back. */
export const openTerminal = (options: TerminalOptions): Terminal => {
	const {stdin, stdout, createWriter = createFrameWriter} = options;
	const kind = options.isLinear ? 'linear' : (options.isAlternateScreen ? 'alternate' : 'main');
	const capabilities = options.capabilities ?? detectCapabilities(process.env);
	let size = readSize(stdout);
	let state: 'ours' | 'lent' | 'closed' = 'lent';
	let takenBackAt = -Infinity;
	let isLineGone = false;
	let releaseErrors: (() => void) | undefined;

	const writer = createWriter({
		size,
		capabilities,
		send(bytes, onWritten) {
			stdout.write(bytes, onWritten);
		},
	});
	const keyboard = createKeyboardInput(stdin, options.earlyInput ?? startEarlyInput(stdin, stdout));
	const inkStdin = new InkStdin();
	const inkStdout = new InkStdout(size, frame => {
		writer.draw(frame);
	});

	const drawAtSize = createThrottle(() => {
		const next = readSize(stdout);
		if (next.columns !== size.columns || next.rows !== size.rows) {
			size = next;
			inkStdout.resize(size);
		}

		// Also where the size is what it was: between two signals it may have been another, and the screen cut to that.
		writer.repaint(size);
	}, resizeRestMilliseconds);

	const onResize = (): void => {
		if (state === 'ours') {
			drawAtSize.run();
		}
	};

	const onStop = (): void => {
		void stop();
	};

	const take = (): void => {
		state = 'ours';
		releaseErrors ??= bufferStderr(process.stderr);
		process.off('SIGTSTP', onStop);
		process.on('SIGTSTP', onStop);
		stdin.setRawMode(true);
		stdin.resume();
		stdout.write(enterModes(kind, size.rows));
		drawAtSize.cancel();
		drawAtSize.run();
	};

	const giveBack = (nextState: 'lent' | 'closed'): void => {
		const isOurs = state === 'ours' && !isLineGone;
		state = nextState;
		writer.pause();
		drawAtSize.cancel();
		// Whoever has the terminal now may want to be stopped without us.
		process.off('SIGTSTP', onStop);
		if (isOurs) {
			writeSynchronously(stdout, leaveModes(kind, size.rows));
			stdin.setRawMode(false);
		}

		stdin.pause();
		releaseErrors?.();
		releaseErrors = undefined;
	};

	const suspend = async <Result>(callback: () => Result | Promise<Result>): Promise<Result> => {
		if (state !== 'ours') {
			throw new Error('The terminal is not ours to lend.');
		}

		keyboard.hold();
		giveBack('lent');
		// Reading stops with the next turn only; until then the keys would still be ours.
		await new Promise(resolve => {
			setImmediate(resolve);
		});
		try {
			return await callback();
		} finally {
			// Closed meanwhile, it stays so.
			if (isState('lent')) {
				takenBackAt = performance.now();
				take();
				keyboard.release();
			}
		}
	};

	const isState = (expected: typeof state): boolean => state === expected;

	const stop = async (): Promise<void> => {
		if (hasJobControl && state === 'ours') {
			await suspend(suspendJob);
		}
	};

	const onContinue = (): void => {
		if (state === 'ours') {
			// Stopped from outside: the shell has set the terminal as it likes it, behind the back of the stream.
			stdin.setRawMode(false);
			take();
		}

		// A change of the size while another job was in front was told to that job alone.
		process.kill(process.pid, 'SIGWINCH');
	};

	const closeAll = (): void => {
		giveBack('closed');
		keyboard.close();
		stdin.off('end', onHangup);
		process.off('SIGWINCH', onResize);
		process.off('SIGCONT', onContinue);
		process.off('exit', close);
	};

	const close = (): void => {
		if (state === 'closed') {
			return;
		}

		closeAll();
		stopWatching();
	};

	const onExitSignal = (exitSignal: ExitSignal): void => {
		if (state === 'closed') {
			return;
		}

		// Watched on: Ink's own listener sends a signal that nobody else listens to once more, which would kill us half-way.
		closeAll();
		options.onEnd(exitSignal);
	};

	const onHangup = (): void => {
		isLineGone = true;
		onExitSignal(hangup);
	};

	const stopWatching = watchExitSignals(onExitSignal, () => state === 'lent' || performance.now() - takenBackAt < lateSignalMilliseconds);
	stdin.on('end', onHangup);
	// Once more after the end, where nobody else would listen and the error would be thrown.
	stdin.on('error', onHangup);
	stdout.on('error', onHangup);
	// Node reads the new size in a listener of its own, which is older than this one.
	process.on('SIGWINCH', onResize);
	process.on('SIGCONT', onContinue);
	process.on('exit', close);
	take();

	return {
		inkOptions: createInkOptions(inkStdin, inkStdout),
		inkStdin,
		inkStdout,
		get size() {
			return size;
		},
		listen: keyboard.listen,
		repaint() {
			if (state === 'ours') {
				writer.repaint(size);
			}
		},
		lend: suspend,
		suspend: stop,
		close,
	};
};
