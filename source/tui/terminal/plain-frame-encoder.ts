import {type Row} from './cells.ts';
import {type FrameEncoder} from './frame-encoder.ts';
import {styleChange, type Style} from './style.ts';

const encodeRow = (row: Row): string => {
	let style: Style = '';
	let output = '';
	for (const cell of row) {
		output += styleChange(style, cell.style) + cell.text;
		style = cell.style;
	}

	return output + styleChange(style, '');
};

/** An encoder that sends every frame whole, from the top of the screen, row after row. */
export const createPlainFrameEncoder = (): FrameEncoder => {
	let shown: readonly Row[] | undefined;
	return rows => {
		if (shown !== undefined && rows.every((row, index) => row === shown?.[index])) {
			return '';
		}

		shown = rows;
		// A row is erased before it is drawn: after its last column the cursor still stands on that.
		return '\u{1B}[m\u{1B}[H' + rows.map(row => `\u{1B}[K${encodeRow(row)}`).join('\r\n');
	};
};
