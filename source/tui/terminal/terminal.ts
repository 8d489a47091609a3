import {type InputStream, type OutputStream} from '../../platform/standard-streams.ts';
import {type Capabilities} from './capabilities.ts';
import {createContainment} from './containment.ts';
import {createFlowControl} from './flow-control.ts';
import {type EarlyInput} from './early-input.ts';
import {type EarlyScreen} from './early-screen.ts';
import {hangup, type ExitSignal} from './exit-signals.ts';
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
import {createKeyboardInput, type KeyboardListener} from './keyboard-input.ts';
import {createHandover, type TerminalHandover} from './terminal-handover.ts';
import {type TerminalHost} from './terminal-host.ts';
import {createTerminalSize} from './terminal-size.ts';

export type {ExitSignal} from './exit-signals.ts';

export type TerminalOptions = {
	readonly host: TerminalHost;
	readonly stdin: InputStream;
	readonly stdout: OutputStream;
	/** False draws on the shell's screen and leaves the last frame there. */
	readonly isAlternateScreen: boolean;
	/** Draws in another way than by frames; with `isLinear` it only appends lines, for screen readers. */
	readonly createWriter?: ((options: FrameWriterOptions) => ScreenWriter) | undefined;
	readonly isLinear?: boolean | undefined;
	readonly capabilities: Capabilities;
	/** True if the line to the terminal may be slow, and what is between may queue a lot. */
	readonly isRemote?: boolean | undefined;
	/** The keys typed so far, which are delivered first. */
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

export type Terminal = Pick<TerminalHandover, 'lend' | 'suspend'> & {
	/** The options for Ink's `render`. */
	readonly inkOptions: InkOptions;
	readonly inkStdin: InkStdin;
	readonly inkStdout: InkStdout;
	readonly size: Size;
	/** Sends keys and pastes here from now on, earlier ones first. */
	listen(listener: KeyboardListener): void;
	/** Redraws the whole screen, whatever else was written on it. */
	repaint(): void;
	/** Draws nothing more, and resolves when the terminal has answered everything, so that no answer is left to the shell. */
	settle(): Promise<void>;
	/** Gives the terminal back for good. May be called again. */
	close(): void;
	[Symbol.dispose](): void;
};

/** Takes the terminal for the UI. However the program ends, short of SIGKILL, the terminal is given back. */
export const openTerminal = (options: TerminalOptions): Terminal => {
	const {host, stdin, stdout, createWriter = createFrameWriter, earlyScreen} = options;
	const inkStdin = new InkStdin();
	const contained = createContainment(error => {
		onExitSignal({reason: 'error', exitCode: 1, error});
	});
	const size = createTerminalSize(
		stdout,
		newSize => {
			inkStdout.resize(newSize);
		},
		newSize => {
			writer.repaint(newSize);
		},
		contained,
	);
	const write = contained((bytes: string, onWritten: () => void) => {
		stdout.write(bytes, onWritten);
	});

	const flowControl = createFlowControl({write});
	const writer = createWriter({
		size: size.current,
		capabilities: options.capabilities,
		shown: earlyScreen,
		send: options.isRemote ? flowControl.send : write,
		schedule(callback) {
			setImmediate(contained(callback));
		},
	});
	const inkStdout = new InkStdout(size.current, frame => {
		options.onFrame?.(frame);
		writer.draw(frame);
	});
	const keyboard = createKeyboardInput(stdin, options.earlyInput, flowControl.answer, contained);
	const handover = createHandover({
		host,
		stdin,
		stdout,
		kind: options.isLinear ? 'linear' : (options.isAlternateScreen ? 'alternate' : 'main'),
		rows: () => size.current.rows,
		onTake() {
			size.updateNow();
			keyboard.release();
		},
		onGiveBack() {
			keyboard.hold();
			writer.pause();
			size.cancel();
		},
		whenQuiet: flowControl.whenAnswered,
	});

	const onResize = contained(() => {
		if (handover.state === 'ours') {
			size.update();
		}
	});

	let isHungUp = false;

	const giveBackForGood = (): void => {
		handover.close(isHungUp);
		flowControl.forget();
		keyboard.close();
		stdin.off('end', onHangup);
		stdin.off('close', onHangup);
		stopWatchingSize();
		stopWatchingExit();
	};

	const close = (): void => {
		if (handover.state === 'closed') {
			return;
		}

		giveBackForGood();
		stopWatching();
	};

	const onExitSignal = (exitSignal: ExitSignal): void => {
		if (handover.state === 'closed') {
			return;
		}

		// Keep watching: a second signal must not kill us half-way.
		giveBackForGood();
		options.onEnd(exitSignal);
	};

	const onHangup = (): void => {
		isHungUp = true;
		onExitSignal(hangup);
	};

	const stopWatching = host.watchEnd(onExitSignal, handover.isForBorrower);
	stdin.on('end', onHangup);
	// A line that is cut brings no end.
	stdin.on('close', onHangup);
	// Stays after the end: an error event without a listener would be thrown.
	stdin.on('error', onHangup);
	stdout.on('error', onHangup);
	const stopWatchingSize = host.watchSize(onResize);
	const stopWatchingExit = host.watchExit(close);
	options.earlyInput?.stopWatching();
	handover.take(earlyScreen?.take());

	return {
		inkOptions: createInkOptions(inkStdin, inkStdout),
		inkStdin,
		inkStdout,
		get size() {
			return size.current;
		},
		listen: keyboard.listen,
		repaint() {
			if (handover.state === 'ours') {
				writer.repaint(size.current);
			}
		},
		async settle() {
			writer.pause();
			await flowControl.whenAnswered();
		},
		lend: handover.lend,
		suspend: handover.suspend,
		close,
		[Symbol.dispose]: close,
	};
};
