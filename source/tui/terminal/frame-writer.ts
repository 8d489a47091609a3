import {isDeepStrictEqual} from 'node:util';
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
	/** What is on the screen already, if it still has that size at the first `repaint`. */
	readonly shown?: {readonly size: Size; readonly frame: string} | undefined;
};

type Terminal = Pick<FrameWriterOptions, 'size' | 'capabilities'>;

const hideCursor = '\u{1B}[?25l';

const createEncoder = ({size, capabilities}: Terminal): FrameEncoder =>
	capabilities.isPlain ? createPlainFrameEncoder() : createFrameEncoder(size.columns, capabilities);

/**
The rows of a frame, as many as the screen has.

@param known - the rows of the frame before, by line; replaced by these.
*/
const parseFrame = (frame: string, {size, capabilities}: Terminal, known: Map<string, Row>): readonly Row[] => {
	const rows = new Map<string, Row>();
	const lines = frame.split('\n');
	const parsed = Array.from({length: size.rows}, (_, index) => {
		const line = lines[index] ?? '';
		const row = rows.get(line) ?? known.get(line) ?? parseRow(line, {...capabilities, columns: size.columns});
		rows.set(line, row);
		return row;
	});
	known.clear();
	for (const [line, row] of rows) {
		known.set(line, row);
	}

	return parsed;
};

/**
What draws each of these frames: the first whatever the screen shows, and every other on a screen that shows the one before.

@param known - the rows of frames drawn before on a screen of this width, by line; replaced by those of the last frame.
*/
export const drawFrames = (frames: readonly string[], terminal: Terminal, known: Map<string, Row>): readonly string[] => {
	const encode = createEncoder(terminal);
	return frames.map(frame => encode(parseFrame(frame, terminal, known)) + hideCursor);
};

/**
Draws frames by sending only what changed since the last one, unless the terminal is to get them whole. Whatever a frame
contains, only printable text and our own cursor positions and styles reach the terminal; rows and columns beyond the screen
are clipped. On a slow connection frames in between are skipped.
*/
export const createFrameWriter = (options: FrameWriterOptions): ScreenWriter => {
	const {capabilities, send, schedule} = options;
	let {size, shown} = options;
	let frame = '';
	let isCursorHidden = false;
	/** The parsed rows of the last frame by line: most lines stay the same from frame to frame. */
	const parsedRows = new Map<string, Row>();

	let encodeFrame = createEncoder({size, capabilities});

	const encode = (): string => {
		const hiding = isCursorHidden ? '' : hideCursor;
		isCursorHidden = true;
		return encodeFrame(parseFrame(frame, {size, capabilities}, parsedRows)) + hiding;
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
				parsedRows.clear();
			}

			size = newSize;
			encodeFrame = createEncoder({size, capabilities});
			isCursorHidden = isDeepStrictEqual(size, shown?.size);
			if (shown !== undefined && isCursorHidden) {
				frame = shown.frame;
				encodeFrame(parseFrame(frame, {size, capabilities}, parsedRows));
			}

			shown = undefined;
			writeQueue.resume();
			writeQueue.update();
		},
		pause: writeQueue.pause,
	};
};
