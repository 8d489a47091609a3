import type {StandardStreams} from '../../platform/standard-streams.ts';
import {outputWidth} from './output-width.ts';

export type StatusLine = {
	/** Shows a text in place of the last one, at the earliest when the command has run for two seconds. */
	readonly show: (text: string) => void;
	/** Call it before anything else is written to the terminal. */
	readonly clear: () => void;
};

type Place = {readonly streams: Pick<StandardStreams, 'stderr'>; readonly env: Readonly<Record<string, string | undefined>>};

const delayMilliseconds = 2000;

/** A text that wraps could not be erased. Any character but those of ASCII may be two columns wide. */
const fit = (text: string, columns: number): string => {
	const width = /^[ -~…]*$/.test(text) ? columns - 1 : Math.floor((columns - 1) / 2);
	if (text.length <= width) {
		return text;
	}

	// A text in ASCII alone may be wanted so, and every other one has an ellipsis at its end.
	const end = /^[ -~]*$/.test(text) ? '...' : '…';
	return text.slice(0, Math.max(0, width - end.length)).toWellFormed() + end;
};

/** A line on standard error that says what a command waits for, if that is a terminal. */
export const createStatusLine = ({streams: {stderr}, env}: Place): StatusLine => {
	if (!stderr.isTTY || env['TERM'] === 'dumb') {
		return {show() {/* Nobody looks. */}, clear() {/* Nothing is shown. */}};
	}

	const earliest = performance.now() + delayMilliseconds;
	let wanted = '';
	let shown = '';
	let timer: NodeJS.Timeout | undefined;

	const draw = (): void => {
		if (wanted === shown) {
			return;
		}

		stderr.write(`\r\u{1B}[K${fit(wanted, outputWidth(stderr))}`);
		shown = wanted;
	};

	return {
		show(text) {
			wanted = text;
			clearTimeout(timer);
			const remaining = earliest - performance.now();
			if (remaining <= 0) {
				draw();
			} else {
				timer = setTimeout(draw, remaining);
				timer.unref();
			}
		},
		clear() {
			wanted = '';
			clearTimeout(timer);
			draw();
		},
	};
};
