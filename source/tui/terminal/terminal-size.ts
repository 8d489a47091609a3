import {type OutputStream} from '../../platform/standard-streams.ts';
import {type Size} from './frame-writer.ts';
import {createThrottle} from './throttle.ts';

/** While a window is dragged, sizes change faster than a screen can be drawn. */
const redrawIntervalMilliseconds = 50;

export type TerminalSize = {
	readonly current: Size;
	/** Reads the size and redraws, at most once per interval. */
	update(): void;
	/** Reads the size and redraws now. */
	updateNow(): void;
	/** Cancels a pending update. */
	cancel(): void;
};

const readSize = ({columns = 0, rows = 0}: OutputStream): Size => ({columns: columns === 0 ? 80 : columns, rows: rows === 0 ? 24 : rows});

/**
Follows the size of a terminal. `onResize` is called only for a changed size, `redraw` for every update.

@param contained - makes a callback that never throws of one that may.
*/
export const createTerminalSize = (
	stdout: OutputStream,
	onResize: (size: Size) => void,
	redraw: (size: Size) => void,
	contained: (update: () => void) => () => void,
): TerminalSize => {
	let size = readSize(stdout);
	const throttle = createThrottle(contained(() => {
		const next = readSize(stdout);
		if (next.columns !== size.columns || next.rows !== size.rows) {
			size = next;
			onResize(size);
		}

		// Even for the same size: between two signals it may have been smaller, and the screen clipped to that.
		redraw(size);
	}), redrawIntervalMilliseconds);
	return {
		get current() {
			return size;
		},
		update: throttle.run,
		updateNow() {
			throttle.cancel();
			throttle.run();
		},
		cancel: throttle.cancel,
	};
};
