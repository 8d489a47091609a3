import {isDeepStrictEqual} from 'node:util';
import type {Capabilities} from './capabilities.ts';
import {createRowParser, type Row} from './cells.ts';
import {createWriteQueue, type WriteQueueOptions} from './flow-control.ts';
import {cursorKinds, cursorMark} from './cursor-mark.ts';
import {createFrameEncoder, type Position} from './frame-encoder.ts';

export type FrameSize = {readonly columns: number; readonly rows: number};

export type FrameWriterOptions = Pick<WriteQueueOptions, 'send' | 'schedule'> & {
	readonly size: FrameSize;
	readonly capabilities: Capabilities;
	/** The frame that is on the screen already, if the screen still has that size at the first `repaint`. */
	readonly shown?: {readonly size: FrameSize; readonly frame: string} | undefined;
};

const hideCursor = '\u{1B}[?25l';

/** Returns the bytes that draw each of these frames: the first on any screen, and each other one on a screen that shows the one before. */
export function drawFrames(frames: readonly string[], terminal: Pick<FrameWriterOptions, 'size' | 'capabilities'>): readonly string[] {
	const encode = createEncoder(terminal);
	return frames.map(frame => encode(frame) + hideCursor);
}

/** Encodes frames for a screen of this size: the first for any screen, and each other one for a screen that shows the one before. */
function createEncoder({size: {columns, rows}, capabilities}: Pick<FrameWriterOptions, 'size' | 'capabilities'>) {
	const encode = createFrameEncoder({...capabilities, columns});
	const parseRow = createRowParser({...capabilities, columns});
	/** The rows of the last frame by line: most lines stay the same between frames. */
	let known: ReadonlyMap<string, Row> = new Map();
	return (frame: string): string => {
		const lines = frame.split('\n');
		const parsed = new Map<string, Row>();
		const next = Array.from({length: rows}, (_, index) => {
			const line = lines[index] ?? '';
			const row = parsed.get(line) ?? known.get(line) ?? parseRow(line);
			parsed.set(line, row);
			return row;
		});
		known = parsed;
		return encode({rows: next, cursor: cursorOf(frame, next)});
	};
}

/** Returns the place of the cursor in a frame: in its field, else on its row; in the corner if the frame has neither. */
function cursorOf(frame: string, rows: readonly Row[]): Position {
	for (const kind of cursorKinds.filter(each => frame.includes(cursorMark(each)))) {
		for (const [row, cells] of rows.entries()) {
			const column = cells.findIndex(({cursor}) => cursor === kind);
			if (column !== -1) {
				return {row, column};
			}
		}
	}

	return {row: 0, column: 0};
}

export type ScreenWriter = ReturnType<typeof createFrameWriter>;

/**
Draws frames by sending only the changes since the last one, unless the terminal needs whole frames. Whatever a frame contains, only
printable text and our own cursor positions and styles reach the terminal; rows and columns beyond the screen are clipped. On a slow
connection intermediate frames are skipped.
*/
export function createFrameWriter(options: FrameWriterOptions) {
	const {capabilities, send, schedule} = options;
	let {size, shown} = options;
	let frame = '';
	let isCursorHidden = false;
	let encodeFrame = createEncoder({size, capabilities});

	const encode = (): string => {
		const hiding = isCursorHidden ? '' : hideCursor;
		isCursorHidden = true;
		return encodeFrame(frame) + hiding;
	};

	const writeQueue = createWriteQueue({encode, send, schedule});

	return {
		/** Draws a frame, lines of text with SGR, in the next turn of the event loop; only the last frame of a turn is drawn. */
		draw(next: string): void {
			if (next === frame) {
				return;
			}

			frame = next;
			writeQueue.update();
		},
		/** Redraws everything, whatever the screen shows. */
		repaint(newSize: FrameSize): void {
			size = newSize;
			encodeFrame = createEncoder({size, capabilities});
			isCursorHidden = isDeepStrictEqual(size, shown?.size);
			if (shown !== undefined && isCursorHidden) {
				frame = shown.frame;
				encodeFrame(frame);
			}

			shown = undefined;
			writeQueue.resume();
			writeQueue.update();
		},
		/** Writes nothing until `repaint`. */
		pause: writeQueue.pause,
	};
}
