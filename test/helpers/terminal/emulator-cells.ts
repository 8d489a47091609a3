import type {Capabilities} from '../../../source/terminal/capabilities.ts';
import type {FrameRecorder} from './frame-recorder.ts';

type Emulator = FrameRecorder['emulator'];

/** One column of the screen. The second one of a wide character has the width 0. */
type Cell = {
	readonly text: string;
	readonly width: number;
	readonly look: string /** The weight of a blank, which would be seen if it were inverse. */;
	readonly weight: string;
};

/** The cells of the screen as a person sees them. */
export function rowsOf(emulator: Emulator): readonly Cell[][] {
	return Array.from({length: emulator.rows}, (_, row) =>
		Array.from({length: emulator.cols}, (__, column) => cellAt(emulator, row, column)),
	);
}

function cellAt(emulator: Emulator, row: number, column: number): Cell {
	const cell = emulator.buffer.active.getLine(row)!.getCell(column)!;
	const text = cell.getChars() || ' ';
	const isInverse = cell.isInverse() !== 0;
	// The colour and the weight of a blank are seen only where it is inverse.
	const isInked = text !== ' ' || isInverse;
	const look = [
		isInverse && 'inverse',
		cell.isUnderline() && 'underline',
		cell.isStrikethrough() && 'struck',
		!cell.isBgDefault() && `background ${cell.getBgColor()}`,
		isInked && !cell.isFgDefault() && `color ${cell.getFgColor()}`,
		isInked && cell.isBold() && 'bold',
		isInked && cell.isDim() && 'dim',
		text !== ' ' && cell.isItalic() && 'italic',
	]
		.filter(Boolean)
		.join(',');
	const weight = isInked ? '' : [cell.isBold() && 'bold', cell.isDim() && 'dim'].filter(Boolean).join(',');
	return {text, width: cell.getWidth(), look, weight};
}

/** What is left of a row on a terminal that cannot display all of it: inversion stands for a background. */
export function reducedRow(row: readonly Cell[], {isColorless}: Capabilities): readonly Cell[] {
	return row.map(cell =>
		isColorless
			? {
					...cell,
					look: cell.look
						.replace(/^(?!inverse)(?=.*background )(?<rest>.*)/, `inverse,$<rest>,${cell.weight}`)
						.split(',')
						.filter(part => !/^(?:background|color) |^$/.test(part))
						.join(','),
				}
			: cell,
	);
}

/** A row to compare and to read: each cell with its look, `<` for the second column of a wide character. */
export function printedRow(row: readonly Cell[]): string {
	return row.map(({text, width, look}) => `${width === 0 ? '<' : text}${look === '' ? '' : `(${look})`}`).join('');
}
