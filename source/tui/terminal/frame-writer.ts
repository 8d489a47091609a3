import {parseRow, type Row} from './cells.ts';
import {type Capabilities} from './capabilities.ts';
import {createWriteQueue, type WriteQueueOptions} from './write-queue.ts';
import {createScreenEncoder} from './screen-encoder.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** What draws frames on a line. Another way to draw (to be listened to, say) fits in its place. */
export type ScreenWriter = {
	/** Shows a frame: lines of text with SGR. It is drawn with the next turn of the event loop; only the last one counts. */
	draw(frame: string): void;
	/** Draws everything anew, on a screen that may show anything. */
	repaint(size: Size): void;
	/** Nothing is written from now on, until `repaint`. */
	pause(): void;
};

export type FrameWriterOptions = Pick<WriteQueueOptions, 'send' | 'schedule'> & {
	readonly size: Size;
	readonly capabilities: Pick<Capabilities, 'isColorless' | 'isDumb' | 'colorBits' | 'isAscii'>;
};

const hideCursor = '\u{1B}[?25l';

/**
Draws frames by sending only what has changed on the screen since what was sent last. Nothing but printable text, cursor
positions and styles made here reaches the line, whatever is in a frame; no row is longer than the screen is wide, and no
more rows are sent than it has. On a slow line frames in between are left out.
*/
export const createFrameWriter = (options: FrameWriterOptions): ScreenWriter => {
	const {capabilities, send, schedule} = options;
	let {size} = options;
	let encoder = createScreenEncoder(size.columns);
	let frame = '';
	let isCursorHidden = false;
	/** What the screen shows; unknown at first. */
	let shown: readonly Row[] | undefined;
	/** The rows of the last frame by their lines: from frame to frame most are the same. */
	let knownRows = new Map<string, Row>();

	const parse = (): readonly Row[] => {
		const rows = new Map<string, Row>();
		const parsed = frame.split('\n').slice(0, size.rows).map(line => {
			const row = rows.get(line) ?? knownRows.get(line) ?? parseRow(line, {...capabilities, columns: size.columns});
			rows.set(line, row);
			return row;
		});
		knownRows = rows;
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
				knownRows = new Map();
			}

			size = newSize;
			encoder = createScreenEncoder(size.columns);
			shown = undefined;
			isCursorHidden = false;
			writeQueue.resume();
			writeQueue.update();
		},
		pause: writeQueue.pause,
	};
};
