import stringWidth from 'string-width';
import {toAsciiText, withLongDots} from './ascii.ts';
import {createWriteQueue} from './flow-control.ts';
import type {FrameWriterOptions, ScreenWriter} from './frame-writer.ts';
import {parseSpokenLines, recordNameIn, withoutAge} from './spoken-text.ts';

/** After several keys in a row only the result is read, not each step. */
const newsIntervalMilliseconds = 300;

/** A line in which only numbers change, such as the progress of an upload, would otherwise crowd out all others. */
const counterIntervalMilliseconds = 3000;

/** The number of list lines that are remembered as read. */
const maximumListed = 5000;

/** A second repaint within this time is not a request to read everything again. */
const repeatMilliseconds = 200;

const newLine = '\r\n';

/**
Draws for screen readers and Braille displays: text that is only ever appended, line by line, as in a shell. Screen readers read new text at
the end of the output, and the line of the terminal's cursor; they miss text that changes elsewhere, or read all of it again. So each new
line is written once, and the line under the UI's cursor (a row or a field) always comes last, with the terminal's cursor at its end. Text
typed into a field is echoed there. Nothing is erased, positioned or styled, so this works on a dumb terminal as well.
*/
export function createScreenReaderWriter(options: FrameWriterOptions): ScreenWriter {
	const {capabilities, send, schedule} = options;
	const narrator = createNarrator();
	let {size} = options;
	let frame = '';
	/** The last line of the output, if it is the current line. */
	let shown: string | undefined;
	let isAtLineStart = true;
	let isEverythingDue = true;
	let everythingSaidAt = -Infinity;
	let timer: NodeJS.Timeout | undefined;

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

		// Text that is read aloud needs no columns.
		const text = capabilities.isAscii ? toAsciiText(withLongDots(frame)) : frame;
		const now = performance.now();
		const {news, current, isUnchanged, isEdit, dueAt} = narrator.narrate(text, now, isEverythingDue);
		everythingSaidAt = isEverythingDue ? now : everythingSaidAt;
		isEverythingDue = false;
		clearTimeout(timer);
		timer = dueAt === undefined ? undefined : setTimeout(update, Math.max(0, dueAt - now));
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
			if (!(wasPaused || (!isResized && performance.now() - everythingSaidAt > repeatMilliseconds))) {
				return;
			}

			isEverythingDue = true;
			update();
		},
		pause() {
			writeQueue.pause();
			isAtLineStart = true;
			shown = undefined;
			clearTimeout(timer);
		},
	};
}

/**
Decides which lines of the UI's frames a screen reader reads: a list once as a whole, then only the line under the cursor; other new lines
no faster than a person can follow.
*/
function createNarrator() {
	let heard: ReadonlySet<string> = new Set();
	let recordsBefore: ReadonlySet<string> = new Set();
	let othersBefore = '';
	let cursorBefore = '';
	let lastNewsAt = -Infinity;
	const listed = new Set<string>();
	const keys = new Set<string>();
	/** The last text that was read of lines that differ only in numbers. */
	const counts = new Map<string, {readonly text: string; readonly saidAt: number}>();

	const quietUntil = (text: string): number => {
		const count = counts.get(shapeOf(text));
		const isCounting = count !== undefined && count.text !== text;
		return Math.max(lastNewsAt + newsIntervalMilliseconds, isCounting ? count.saidAt + counterIntervalMilliseconds : -Infinity);
	};

	const rememberList = (texts: readonly string[]): void => {
		if (listed.size > maximumListed) {
			listed.clear();
		}

		for (const text of texts) {
			listed.add(text);
		}
	};

	return {
		/** Returns the lines of a frame to read: those not read yet, or all with `isWhole`. */
		narrate(frame: string, now: number, isWhole: boolean) {
			const lines = parseSpokenLines(frame);
			const list = lines.filter(({kind}) => kind === 'current' || kind === 'listed').map(({text}) => text);
			const others = lines
				.filter(({kind}) => kind === 'listed')
				.map(({text}) => withoutAge(text))
				.join('\n');
			// Rows that were all marked or all switched still belong to the list that was read.
			const isListNew = list.length > 1 && list.every(text => !recordsBefore.has(recordNameIn(text)));
			const current = lines.find(({kind}) => kind === 'current')?.text;
			const cursor = current === undefined ? '' : `${list.indexOf(current)} ${withoutAge(current)}`;
			const isUnchanged = !isWhole && cursor === cursorBefore && others === othersBefore;
			// Typing a filter changes the list too, but still counts as typing.
			const isEdit = !isWhole && (others === othersBefore || current?.startsWith('/') === true);
			const unlisted = isWhole || isListNew ? list.filter(text => isWhole || !listed.has(text)) : [];
			// The current line is read in any case.
			const isListSaid = unlisted.some(text => text !== current);
			const news: string[] = [];
			const said = new Set<string>();
			let dueAt: number | undefined;
			for (const {kind, text} of lines) {
				if (kind === 'news') {
					const until = quietUntil(text);
					const isHeard = heard.has(withoutAge(text));
					if (isWhole || (!isHeard && now >= until)) {
						news.push(text);
						said.add(text);
					} else if (!isHeard) {
						dueAt = Math.min(dueAt ?? Infinity, until);
					}
				} else if (kind === 'keys') {
					if (isWhole || !keys.has(text)) {
						news.push(text);
						keys.add(text);
					}
				} else if (isListSaid && unlisted.includes(text)) {
					news.push(`  ${text}`);
				}
			}

			if (isListNew || isWhole) {
				rememberList(list);
			}

			for (const text of said) {
				counts.set(shapeOf(text), {text, saidAt: now});
				lastNewsAt = now;
			}

			for (const [shape, {saidAt}] of counts) {
				if (now - saidAt >= counterIntervalMilliseconds) {
					counts.delete(shape);
				}
			}

			// A line that disappeared and comes back is read again.
			heard = new Set(lines.filter(({text}) => heard.has(withoutAge(text)) || said.has(text)).map(({text}) => withoutAge(text)));
			recordsBefore = list.length > 0 ? new Set(list.map(text => recordNameIn(text))) : recordsBefore;
			othersBefore = others;
			cursorBefore = cursor;
			return {
				/** The new lines, in order. */
				news,
				/** The line under the cursor; `undefined` if there is none. */
				current,
				/** True if that line is unchanged, except for its age. */
				isUnchanged,
				/** True if only the current line of the list has changed, as when a field is typed into. */
				isEdit,
				/** When delayed lines are due, in milliseconds of the same clock; `undefined` if none are. */
				dueAt,
			};
		},
	};
}

const shapeOf = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/[#.·█]{2,}/g, '');
