import {isDeepStrictEqual} from 'node:util';
import {parseRow, type Row} from './cells.ts';
import {type Capabilities} from './capabilities.ts';
import {createWriteQueue, type WriteQueueOptions} from './write-queue.ts';
import {createScreenEncoder} from './screen-encoder.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** Draws frames on a terminal. The writer for screen readers implements it too. */
export type ScreenWriter = {
	/** Draws a frame, lines of text with SGR, in the next turn of the event loop; only the last frame of a turn is drawn. */
	draw(frame: string): void;
	/** Redraws everything, whatever the screen shows. */
	repaint(size: Size): void;
	/** Writes nothing until `repaint`. */
	pause(): void;
};

export type FrameWriterOptions = Pick<WriteQueueOptions, 'send' | 'schedule'> & {
	readonly size: Size;
	readonly capabilities: Pick<Capabilities, 'isColorless' | 'isDumb' | 'colorBits' | 'isAscii'>;
	/** What is on the screen already, if it still has that size at the first `repaint`. */
	readonly shown?: {readonly size: Size; readonly frame: string} | undefined;
};

export const hideCursor = '\u{1B}[?25l';

/**
Draws frames by sending only what changed since the last one. Whatever a frame contains, only printable text and our own
cursor positions and styles reach the terminal; rows and columns beyond the screen are clipped. On a slow connection
frames in between are skipped.
*/
export const createFrameWriter = (options: FrameWriterOptions): ScreenWriter => {
	const {capabilities, send, schedule} = options;
	let {size} = options;
	let encoder = createScreenEncoder(size.columns);
	let frame = '';
	let isCursorHidden = false;
	let shownBefore = options.shown;
	/** The rows on the screen; `undefined` if unknown. */
	let shown: readonly Row[] | undefined;
	/** The parsed rows of the last frame by line: most lines stay the same from frame to frame. */
	let parsedRows = new Map<string, Row>();

	const parse = (): readonly Row[] => {
		const rows = new Map<string, Row>();
		const parsed = frame.split('\n').slice(0, size.rows).map(line => {
			const row = rows.get(line) ?? parsedRows.get(line) ?? parseRow(line, {...capabilities, columns: size.columns});
			rows.set(line, row);
			return row;
		});
		parsedRows = rows;
		return parsed;
	};

	const encode = (): string => {
		const rows = parse();
		if (shown === undefined) {
			encoder.clear();
		}

		for (let row = 0; row < size.rows; row++) {
			const previous = shown?.[row] ?? [];
			const next = rows[row] ?? [];
			if (previous !== next) {
				encoder.changeRow(row, previous, next);
			}
		}

		shown = rows;
		const hiding = isCursorHidden ? '' : hideCursor;
		isCursorHidden = true;
		return encoder.finish() + hiding;
	};

	const writeQueue = createWriteQueue({encode, send, schedule});

	return {
		draw(next) {
			if (next === frame) {
				return;
			}

			frame = next;
			writeQueue.update();
		},
		repaint(newSize) {
			if (newSize.columns !== size.columns) {
				parsedRows = new Map();
			}

			size = newSize;
			encoder = createScreenEncoder(size.columns);
			const isShown = isDeepStrictEqual(size, shownBefore?.size);
			frame = isShown ? shownBefore!.frame : frame;
			shown = isShown ? parse() : undefined;
			shownBefore = undefined;
			isCursorHidden = isShown;
			writeQueue.resume();
			writeQueue.update();
		},
		pause: writeQueue.pause,
	};
};
