import stringWidth from 'string-width';
import {toAsciiText} from './ascii.ts';
import {type FrameWriterOptions, type ScreenWriter} from './frame-writer.ts';
import {createNarrator} from './narrator.ts';
import {createWriteQueue} from './write-queue.ts';

/** The time, so that a test can hold it. */
export type Clock = {
	/** Milliseconds from any moment on. */
	now(): number;
	/** Calls back after so many milliseconds; the function returned forgets it. */
	after(milliseconds: number, callback: () => void): () => void;
};

const systemClock: Clock = {
	now: () => performance.now(),
	after(milliseconds, callback) {
		const timer = setTimeout(callback, milliseconds);
		return () => {
			clearTimeout(timer);
		};
	},
};

/** Within this time nobody asks for all of it again. */
const repeatMilliseconds = 200;

const newLine = '\r\n';

/**
Draws for somebody who listens, or reads with the fingers: text that is only ever added, line after line, as a shell
does. Screen readers read what is new at the end of the output, and the line that the terminal's cursor is on; text that
changes at places of its own they miss, or read again whole. So each line that is new is written once, and the one under
the UI's cursor (a row, or a field) is always the last, with the terminal's cursor at its end. What is typed into a field
is added to it as an echo. Nothing is erased, no place addressed, no style set; it works on a dumb terminal as well.
*/
export const createScreenReaderWriter = (options: FrameWriterOptions & {readonly clock?: Clock}): ScreenWriter => {
	const {capabilities, send, schedule, clock = systemClock} = options;
	const narrator = createNarrator();
	let {size} = options;
	let frame = '';
	/** The last line of the output where it is the current one. */
	let shown: string | undefined;
	let isAtLineStart = true;
	let isWholeWanted = true;
	let wholeSaidAt = -Infinity;
	let forgetTimer: () => void = () => undefined;

	/** Adds what was typed, takes back what was deleted; `undefined` where the line is another one. */
	const echo = (current: string): string | undefined => {
		if (shown === undefined) {
			return undefined;
		}

		if (current.startsWith(shown)) {
			return current.slice(shown.length);
		}

		const deleted = shown.startsWith(current) ? stringWidth(shown.slice(current.length)) : Infinity;
		// Back over the edge of the terminal there is no way.
		return deleted <= 4 && stringWidth(`> ${shown}`) < size.columns ? '\b \b'.repeat(deleted) : undefined;
	};

	const encode = (): string => {
		if (frame === '') {
			return '';
		}

		const text = capabilities.isAscii ? toAsciiText(frame) : frame;
		const {news, current, isUnchanged, isEdit, dueAt} = narrator.narrate(text, clock.now(), isWholeWanted);
		wholeSaidAt = isWholeWanted ? clock.now() : wholeSaidAt;
		isWholeWanted = false;
		forgetTimer();
		forgetTimer = dueAt === undefined ? () => undefined : clock.after(Math.max(0, dueAt - clock.now()), update);
		if (news.length === 0 && (current === shown || isUnchanged)) {
			return '';
		}

		const edit = news.length === 0 && isEdit && current !== undefined ? echo(current) : undefined;
		shown = current;
		if (edit !== undefined) {
			return edit;
		}

		const lines = [...news, ...(current === undefined ? [] : [`> ${current}`])];
		const bytes = (isAtLineStart || lines.length === 0 ? '' : newLine) + lines.join(newLine);
		isAtLineStart &&= lines.length === 0;
		return bytes;
	};

	const writeQueue = createWriteQueue({encode, send, schedule});
	const {update} = writeQueue;

	return {
		draw(next) {
			if (next === frame) {
				return;
			}

			frame = next;
			update();
		},
		repaint(newSize) {
			const isResized = newSize.columns !== size.columns || newSize.rows !== size.rows;
			const wasPaused = writeQueue.isPaused;
			size = newSize;
			writeQueue.resume();
			// A window of another size shows the same lines; and a terminal that is taken again may tell so twice.
			if (!(wasPaused || (!isResized && clock.now() - wholeSaidAt > repeatMilliseconds))) {
				return;
			}

			isWholeWanted = true;
			update();
		},
		pause() {
			writeQueue.pause();
			isAtLineStart = true;
			shown = undefined;
			forgetTimer();
		},
	};
};
