import stringWidth from 'string-width';
import {toAsciiText, withLongDots} from './ascii.ts';
import {systemClock, type Clock} from './clock.ts';
import {type FrameWriterOptions, type ScreenWriter} from './frame-writer.ts';
import {createNarrator} from './narrator.ts';
import {createWriteQueue} from './write-queue.ts';

/** A second repaint within this time is not a request to read everything again. */
const repeatMilliseconds = 200;

const newLine = '\r\n';

/**
Draws for screen readers and Braille displays: text that is only ever appended, line by line, as in a shell. Screen
readers read new text at the end of the output, and the line of the terminal's cursor; text that changes elsewhere they
miss, or read again whole. So each new line is written once, and the one under the UI's cursor (a row or a field) always
comes last, with the terminal's cursor at its end. Text typed into a field is echoed there. Nothing is erased, positioned
or styled, so this works on a dumb terminal as well.
*/
export const createScreenReaderWriter = (options: FrameWriterOptions & {readonly clock?: Clock}): ScreenWriter => {
	const {capabilities, send, schedule, clock = systemClock} = options;
	const narrator = createNarrator();
	let {size} = options;
	let frame = '';
	/** The last line of the output, if it is the current line. */
	let shown: string | undefined;
	let isAtLineStart = true;
	let isEverythingDue = true;
	let everythingSaidAt = -Infinity;
	let cancelTimer: () => void = () => undefined;

	/** Appends typed text or erases deleted text; `undefined` if the line is a different one. */
	const echo = (current: string): string | undefined => {
		if (shown === undefined) {
			return undefined;
		}

		if (current.startsWith(shown)) {
			return current.slice(shown.length);
		}

		const deleted = shown.startsWith(current) ? stringWidth(shown.slice(current.length)) : Infinity;
		// Backspace cannot cross the left edge of the terminal.
		return deleted <= 4 && stringWidth(`> ${shown}`) < size.columns ? '\b \b'.repeat(deleted) : undefined;
	};

	const encode = (): string => {
		if (frame === '') {
			return '';
		}

		// A text that is read out has no columns to keep.
		const text = capabilities.isAscii ? toAsciiText(withLongDots(frame)) : frame;
		const {news, current, isUnchanged, isEdit, dueAt} = narrator.narrate(text, clock.now(), isEverythingDue);
		everythingSaidAt = isEverythingDue ? clock.now() : everythingSaidAt;
		isEverythingDue = false;
		cancelTimer();
		cancelTimer = dueAt === undefined ? () => undefined : clock.after(Math.max(0, dueAt - clock.now()), update);
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
			// Resizing leaves the lines as they are, and taking the terminal back may repaint twice.
			if (!(wasPaused || (!isResized && clock.now() - everythingSaidAt > repeatMilliseconds))) {
				return;
			}

			isEverythingDue = true;
			update();
		},
		pause() {
			writeQueue.pause();
			isAtLineStart = true;
			shown = undefined;
			cancelTimer();
		},
	};
};
