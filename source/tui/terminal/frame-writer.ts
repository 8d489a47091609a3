import {parseRow, type Row} from './cells.ts';
import {type Capabilities} from './capabilities.ts';
import {createFrameEncoder, type FrameEncoder} from './frame-encoder.ts';
import {createPlainFrameEncoder} from './plain-frame-encoder.ts';
import {createWriteQueue, type WriteQueueOptions} from './write-queue.ts';

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
	readonly capabilities: Omit<Capabilities, 'isScreenReader'>;
};

const hideCursor = '\u{1B}[?25l';

/**
Draws frames by sending only what changed since the last one, unless the terminal is to get them whole. Whatever a frame
contains, only printable text and our own cursor positions and styles reach the terminal; rows and columns beyond the screen
are clipped. On a slow connection frames in between are skipped.
*/
export const createFrameWriter = (options: FrameWriterOptions): ScreenWriter => {
	const {capabilities, send, schedule} = options;
	let {size} = options;
	let frame = '';
	let isCursorHidden = false;
	/** The parsed rows of the last frame by line: most lines stay the same from frame to frame. */
	let parsedRows = new Map<string, Row>();

	const createEncoder = (): FrameEncoder => capabilities.isPlain ? createPlainFrameEncoder() : createFrameEncoder(size.columns, capabilities);
	let encodeFrame = createEncoder();

	const parse = (): readonly Row[] => {
		const rows = new Map<string, Row>();
		const lines = frame.split('\n');
		const parsed = Array.from({length: size.rows}, (_, index) => {
			const line = lines[index] ?? '';
			const row = rows.get(line) ?? parsedRows.get(line) ?? parseRow(line, {...capabilities, columns: size.columns});
			rows.set(line, row);
			return row;
		});
		parsedRows = rows;
		return parsed;
	};

	const encode = (): string => {
		const hiding = isCursorHidden ? '' : hideCursor;
		isCursorHidden = true;
		return encodeFrame(parse()) + hiding;
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
			encodeFrame = createEncoder();
			isCursorHidden = false;
			writeQueue.resume();
			writeQueue.update();
		},
		pause: writeQueue.pause,
	};
};
