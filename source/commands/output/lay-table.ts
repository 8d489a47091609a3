import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import type {JsonValue} from '../../interface/json.ts';
import {fit} from '../../tui/widgets/wrap.ts';

/** One column of a table. Its texts must be cleaned: no tabs, no line breaks. */
export type Column<Row> = {
	readonly title: string;
	/** Its name in `--columns` and in the fields of JSON; by default the title in lower case. */
	readonly name?: string;
	/** The whole text, for a pipe. */
	readonly text: (row: Row) => string;
	/** A shorter text for people; by default the whole one. */
	readonly shownText?: (row: Row) => string;
	/** The value in JSON, null if it is not known; by default the whole text. */
	readonly value?: (row: Row) => JsonValue;
	/** The width below which it does not shrink; without it, it does not shrink at all. */
	readonly minimumWidth?: number;
};

const gap = 2;

/** The width of the widest text. There may be more texts than `Math.max` takes arguments. */
const widestOf = (texts: readonly string[]): number => {
	let widest = 0;
	for (const text of texts) {
		widest = Math.max(widest, stringWidth(text));
	}

	return widest;
};

/** Narrows the widest column that can still shrink until all fit. */
const shrink = (natural: readonly number[], minimum: readonly number[], room: number): readonly number[] => {
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
};

/** The lines of a table, none wider than the screen: a line of titles, then a line for each row. */
export const layTable = <Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[], screenWidth: number): readonly string[] => {
	const cells = rows.map(row => columns.map(({text, shownText}) => (shownText ?? text)(row)));
	const natural = columns.map(({title}, index) => widestOf([title, ...cells.map(line => line[index]!)]));
	const minimum = columns.map(({title, minimumWidth}, index) => Math.min(natural[index]!, Math.max(stringWidth(title), minimumWidth ?? natural[index]!)));
	const widths = shrink(natural, minimum, screenWidth - (gap * (columns.length - 1)));
	const line = (texts: readonly string[]): string =>
		cliTruncate(texts.map((text, index) => fit(text, widths[index]!)).join(' '.repeat(gap)).trimEnd(), screenWidth);
	return [columns.map(({title}) => title), ...cells].map(texts => line(texts));
};
