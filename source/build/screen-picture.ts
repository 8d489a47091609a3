import {type IBufferCell, type Terminal} from '@xterm/headless';

const cellWidth = 8.4;
const cellHeight = 18;
const margin = 14;

const foreground = '#d8dee9';
const background = '#1b1f27';

/** The sixteen colours of a terminal. */
const palette = [
	'#3b4252',
	'#e06c75',
	'#8fbf7f',
	'#e5c07b',
	'#81a1c1',
	'#c792ea',
	'#6cc7d1',
	'#d8dee9',
	'#6b7488',
	'#ff8a93',
	'#b5e0a6',
	'#ffdd99',
	'#9fc0e6',
	'#e0b3ff',
	'#8fe3ec',
	'#ffffff',
] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const styleOf = (cell: IBufferCell): string => [
	`fill="${cell.isFgPalette() ? palette[cell.getFgColor()] ?? foreground : foreground}"`,
	...(cell.isBold() ? ['font-weight="bold"'] : []),
	...(cell.isDim() ? ['opacity="0.6"'] : []),
	...(cell.isUnderline() ? ['text-decoration="underline"'] : []),
].join(' ');

type Run = {readonly column: number; readonly columns: number; readonly style: string; readonly text: string};

/** The cells of a row in runs of the same style. */
const runsOf = (terminal: Terminal, row: number): readonly Run[] => {
	const line = terminal.buffer.active.getLine(row);
	const runs: Run[] = [];
	for (let column = 0; column < terminal.cols; column++) {
		const cell = line?.getCell(column);
		if (cell === undefined || cell.getWidth() === 0) {
			continue;
		}

		const style = styleOf(cell);
		const text = cell.getChars() || ' ';
		const last = runs.at(-1);
		if (last?.style === style) {
			runs[runs.length - 1] = {...last, columns: last.columns + cell.getWidth(), text: last.text + text};
		} else {
			runs.push({
				column, columns: cell.getWidth(), style, text,
			});
		}
	}

	return runs.filter(({text}) => text.trim() !== '');
};

/** An SVG picture of what a terminal shows. */
export const pictureOf = (terminal: Terminal, title: string): string => {
	const width = Math.ceil((terminal.cols * cellWidth) + (2 * margin));
	const height = (terminal.rows * cellHeight) + (2 * margin);
	const rows = Array.from({length: terminal.rows}, (_, row) => runsOf(terminal, row).map(({column, columns, style, text}) => {
		const left = (margin + (column * cellWidth)).toFixed(1);
		const baseline = margin + (row * cellHeight) + 13;
		return `<text x="${left}" y="${baseline}" textLength="${(columns * cellWidth).toFixed(1)}" ${style}>${escaped(text)}</text>`;
	})).flat();
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
		...rows,
		'</svg>',
		'',
	].join('\n');
};
