import {styleText} from 'node:util';
import {isForPerson, type Context} from '../context.ts';
import type {Column} from './lay-table.ts';
import {outputWidth} from './output-width.ts';

/** Tab-separated lines without titles, with texts in full, for `cut` and `awk`. */
export const tabTable = <Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): readonly string[] =>
	rows.map(row => columns.map(({text}) => text(row)).join('\t'));

/** Prints many lines. */
export const printLines = async ({whenPrinted}: Context, lines: Iterable<string>, print: (line: string) => void, linesInATurn = 1000): Promise<void> => {
	let count = 0;
	for (const line of lines) {
		print(line);
		if (count++ % linesInATurn === 0) {
			await whenPrinted();
		}
	}
};

/** The width of the terminal; of what is no terminal, the one that the shell gives. */
const tableWidth = ({env, streams}: Context): number => {
	const given = env['COLUMNS'] ?? '';
	return outputWidth(streams.stdout, /^[1-9]\d{0,4}$/.test(given) ? Number(given) : undefined);
};

/** Prints rows as a table that fits the width of the terminal, or as tab-separated lines: as those if standard output is no terminal, unless told. */
export const printTable = async <Row>(
	context: Context,
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
	format: 'table' | 'tsv' = isForPerson(context) ? 'table' : 'tsv',
): Promise<void> => {
	if (format === 'tsv') {
		await printLines(context, tabTable(columns, rows), context.print);
		return;
	}

	if (rows.length === 0) {
		return;
	}

	// The code that measures texts takes as long to load as the rest of a command.
	const {layTable} = await import('./lay-table.ts');
	const [titles, ...lines] = layTable(columns, rows, tableWidth(context));
	context.print(context.options.isColorWanted && isForPerson(context) ? styleText('bold', titles!, {validateStream: false}) : titles!);
	await printLines(context, lines, context.print);
};
