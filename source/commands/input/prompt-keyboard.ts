import {Buffer} from 'node:buffer';
import process from 'node:process';
import type {Interface} from 'node:readline';
import {signalErrors, SwitchboardError} from '../../interface/errors.ts';
import type {InputStream, OutputStream} from '../../platform/standard-streams.ts';
import type {Key} from '../../terminal/key.ts';
import {createKeyReader} from '../../terminal/keyboard-input.ts';
import {processHost} from '../../terminal/terminal-host.ts';
import {writeSynchronously} from '../../terminal/terminal-modes.ts';

/*
Readline edits the line, but does not read the keyboard: it would type the keys of newer encodings as text, and wait for ever after a stop.
After `fg` it would need a new prompt, and Node.js would still assume the mode from before, although the shell has changed it.
*/

type Events = {
	readonly key: (key: Key) => void;
	readonly paste: (text: string) => void;
	/** The program continues after a stop: the cursor is where the shell left it. */
	readonly draw: () => void;
	readonly end: (error: SwitchboardError) => void;
};

type Options = {
	readonly stdin: InputStream;
	/** The output on which to ask the terminal to mark pastes, if it should. */
	readonly pasteOutput?: OutputStream;
};

export function inputEnded(): SwitchboardError {
	return new SwitchboardError('usage', 'The input ended before an answer was given.');
}

/** Takes the keyboard of a terminal for a prompt, until it is closed. Ctrl+Z stops the whole job, which may continue later. */
export function openPromptKeyboard({stdin, pasteOutput}: Options, events: Events) {
	// An SSH session shares its process, and has no job.
	const host = stdin === process.stdin ? processHost : undefined;
	const jobControl = host?.jobControl;
	let isClosed = false;
	let isGone = false;
	let isStopping = false;
	let stopWatchingSuspension: (() => void) | undefined;

	const markPastes = (isWanted: boolean): void => {
		if (pasteOutput !== undefined) {
			writeSynchronously(pasteOutput, `\u{1B}[?2004${isWanted ? 'h' : 'l'}`);
		}
	};

	const take = (): void => {
		stopWatchingSuspension = jobControl?.watchSuspension(() => {
			void suspend();
		});
		stdin.setRawMode?.(true);
		markPastes(true);
		stdin.resume();
	};

	const giveBack = (): void => {
		stopWatchingSuspension?.();
		if (isGone) {
			return;
		}

		markPastes(false);
		stdin.setRawMode?.(false);
	};

	const goOn = (): void => {
		giveBack();
		take();
		events.draw();
		host?.readSizeAgain();
	};

	const suspend = async (): Promise<void> => {
		if (isStopping || jobControl === undefined) {
			return;
		}

		isStopping = true;
		giveBack();
		await jobControl.suspend();
		isStopping = false;
		if (!isClosed) {
			goOn();
		}
	};

	const reader = createKeyReader({
		key(key) {
			if (key.name === 'ctrl+z') {
				void suspend();
			} else {
				events.key(key);
			}
		},
		paste: events.paste,
	});

	const onData = (chunk: Uint8Array | string): void => {
		// Some programs type both for Enter.
		reader.write(
			Buffer.from(
				Buffer.from(chunk as string)
					.toString('latin1')
					.replaceAll('\r\n', '\r'),
				'latin1',
			),
		);
	};

	const onEnd = (): void => {
		// Reports a terminal that has gone.
		giveBack();
		events.end(inputEnded());
	};

	// A terminal that has gone takes no mode any more. The listener stays, because an error without a listener would be thrown.
	stdin.on('error', () => {
		isGone = true;
		events.end(signalErrors.SIGHUP);
	});
	stdin.on('data', onData);
	stdin.on('end', onEnd);
	// Stopped and continued by another process, without notice.
	const stopWatchingContinuation = jobControl?.watchContinuation(() => {
		if (!isStopping) {
			goOn();
		}
	});

	const close = (): void => {
		if (isClosed) {
			return;
		}

		isClosed = true;
		stopWatchingContinuation?.();
		stopWatchingExit?.();
		reader.close();
		stdin.off('data', onData);
		stdin.off('end', onEnd);
		giveBack();
		stdin.pause();
	};

	const stopWatchingExit = host?.watchExit(close);
	if (stdin.readableEnded || stdin.destroyed) {
		events.end(inputEnded());
	} else {
		take();
	}

	return {close};
}

/** Presses a key in a line that readline edits. */
export function pressInLine(lines: Interface, {name, text}: Key): void {
	if (text !== '') {
		lines.write(text);
		return;
	}

	const {modifiers = '', key = ''} = /^(?<modifiers>(?:(?:ctrl|alt|super|shift)\+)*)(?<key>.+)$/su.exec(name)?.groups ?? {};
	lines.write(null, {
		name: key === 'enter' ? 'return' : key,
		ctrl: modifiers.includes('ctrl+'),
		meta: modifiers.includes('alt+'),
		shift: modifiers.includes('shift+'),
	});
}
