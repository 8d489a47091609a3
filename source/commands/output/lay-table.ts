import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import type {JsonValue} from '../../interface/json.ts';
import {fit, wrapText} from '../../terminal/wrap.ts';
import type {PrintTone} from '../context.ts';

/** One column of a table. Its texts must be cleaned: no tabs, no line breaks. */
export type Column<Row> = {
	readonly title: string;
	/** Its name in `--columns` and in the fields of JSON; by default the title in lower case. */
	readonly name?: string;
	/** The name that the help of `--columns` lists in place of the one in JSON; `--columns` takes both. */
	readonly shownName?: string;
	/** The whole text, for a pipe. */
	readonly text: (row: Row) => string;
	/** A shorter text for people; by default the whole text. */
	readonly shownText?: (row: Row) => string;
	/** The value in JSON, null if it is not known; by default the whole text. */
	readonly value?: (row: Row) => JsonValue;
	/** The column does not shrink below this width; without it, it does not shrink at all. */
	readonly minimumWidth?: number;
	/** The meaning of the text, which a terminal shows in colour. */
	readonly tone?: (row: Row) => PrintTone | undefined;
	/**
	The order in which columns are left out if more important columns have too little room: 1 goes first. Without it, the column always
	stays.
	*/
	readonly givesWay?: number;
	/** True if a long text continues below, broken between words; otherwise it is cut. */
	readonly isBroken?: boolean;
};

const gap = 2;

/** If a column that stays, such as the name, would become narrower than this, another column is left out. */
const keptWidth = 24;

type LayOptions = {
	/** True if every column must be shown, however narrow it gets. */
	readonly isWhole?: boolean;
	readonly paint?: (tone: PrintTone | undefined, text: string) => string;
};

/**
Returns the lines of a table, none wider than the screen: a line of titles, then a line for each row, or more if a text of the row is
broken.
*/
export function layTable<Row>(
	all: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
	screenWidth: number,
	{isWhole = true, paint = (_tone, text) => text}: LayOptions = {},
): readonly string[] {
	const measured = all.map(column => measure(column, rows, isWhole));
	const columns = isWhole ? measured : leaveOut(measured, screenWidth);
	const widths = shrink(
		columns.map(({natural}) => natural),
		columns.map(({minimum}) => minimum),
		screenWidth - gap * (columns.length - 1),
	);
	const line = (texts: readonly string[], row?: Row): string => {
		const cells = columns.map((column, index) => {
			const cell = fit(texts[index] ?? '', widths[index]!);
			const tone = row === undefined ? undefined : column.tone?.(row);
			return tone === undefined ? cell : paint(tone, cell.trimEnd()) + ' '.repeat(cell.length - cell.trimEnd().length);
		});
		return cliTruncate(cells.join(' '.repeat(gap)).trimEnd(), screenWidth);
	};

	const linesOf = (row: Row, index: number): readonly string[] => {
		const parts = columns.map(({texts, isBroken = false}, column) =>
			isBroken ? wrapText(texts[index]!, widths[column]!) : [texts[index]!],
		);
		const height = Math.max(1, ...parts.map(({length}) => length));
		return Array.from({length: height}, (_, below) =>
			line(
				parts.map(part => part[below] ?? ''),
				row,
			),
		);
	};

	return [line(columns.map(({title}) => title)), ...rows.flatMap((row, index) => linesOf(row, index))];
}

/** Returns a column with its texts, its natural width and its minimum width. */
function measure<Row>(column: Column<Row>, rows: readonly Row[], isWhole: boolean) {
	const {title, text, shownText = text, minimumWidth = Infinity, givesWay} = column;
	const texts = rows.map(row => shownText(row));
	const natural = widestOf([title, ...texts]);
	const least = isWhole || givesWay !== undefined ? minimumWidth : Math.max(minimumWidth, keptWidth);
	return {...column, texts, natural, minimum: Math.min(natural, Math.max(stringWidth(title), least))};
}

/** Returns the width of the widest text. `Math.max` would not take so many arguments. */
function widestOf(texts: readonly string[]): number {
	let widest = 0;
	for (const text of texts) {
		widest = Math.max(widest, stringWidth(text));
	}

	return widest;
}

type Measured<Row> = ReturnType<typeof measure<Row>>;

/** Returns the columns that fit side by side: the least important ones are left out. */
function leaveOut<Row>(columns: ReadonlyArray<Measured<Row>>, screenWidth: number): ReadonlyArray<Measured<Row>> {
	const order = columns.map(({givesWay}) => givesWay).filter(place => place !== undefined);
	const needed = columns.reduce((sum, {minimum}) => sum + minimum + gap, -gap);
	return needed <= screenWidth || order.length === 0
		? columns
		: leaveOut(
				columns.filter(({givesWay}) => givesWay !== Math.min(...order)),
				screenWidth,
			);
}

/** Narrows the widest column that can still shrink until all columns fit. */
function shrink(natural: readonly number[], minimum: readonly number[], room: number): readonly number[] {
	const widths = [...natural];
	for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess--) {
		let widest = -1;
		for (const [index, width] of widths.entries()) {
			if (width > minimum[index]! && (widest === -1 || width > widths[widest]!)) {
				widest = index;
			}
		}

		if (widest === -1) {
			break;
		}

		widths[widest]!--;
	}

	return widths;
}
