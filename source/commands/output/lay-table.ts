import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {fit} from '../../tui/widgets/fit.ts';
import type {Column} from './table.ts';

const gap = 2;

/** The columns of the widest text. There may be more texts than one call of `Math.max` takes. */
const widestOf = (texts: readonly string[]): number => {
	let widest = 0;
	for (const text of texts) {
		widest = Math.max(widest, stringWidth(text));
	}

	return widest;
};

/** Takes columns of the screen from the widest column that can still shrink until all fit. */
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

/** The lines of a table for a screen of so many columns: a line of titles, then a line per row, none wider. */
export const layTable = <Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[], screenWidth: number): readonly string[] => {
	const cells = rows.map(row => columns.map(({text, shownText}) => (shownText ?? text)(row)));
	const natural = columns.map(({title}, index) => widestOf([title, ...cells.map(line => line[index]!)]));
	const minimum = columns.map(({title, minimumWidth}, index) => Math.min(natural[index]!, Math.max(stringWidth(title), minimumWidth ?? natural[index]!)));
	const widths = shrink(natural, minimum, screenWidth - (gap * (columns.length - 1)));
	const line = (texts: readonly string[]): string =>
		cliTruncate(texts.map((text, index) => fit(text, widths[index]!)).join(' '.repeat(gap)).trimEnd(), screenWidth);
	return [columns.map(({title}) => title), ...cells].map(texts => line(texts));
};
