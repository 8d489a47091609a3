import {parseRow, type Row} from './cells.ts';
import {hideCursor, type FrameWriterOptions} from './frame-writer.ts';
import {createScreenEncoder} from './screen-encoder.ts';

/** What draws a frame: on an empty screen, or on one that shows another. */
export const drawFrame = (frame: string, {size, capabilities}: Pick<FrameWriterOptions, 'size' | 'capabilities'>, before?: string): string => {
	const encoder = createScreenEncoder(size.columns);
	const rowsOf = (text: string): readonly Row[] => text.split('\n').slice(0, size.rows).map(line => parseRow(line, {...capabilities, columns: size.columns}));
	if (before === undefined) {
		encoder.clear();
	}

	const shown = before === undefined ? [] : rowsOf(before);
	for (const [row, cells] of rowsOf(frame).entries()) {
		encoder.changeRow(row, shown[row] ?? [], cells);
	}

	return encoder.finish() + hideCursor;
};
