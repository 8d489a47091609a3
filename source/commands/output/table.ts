import process from 'node:process';
import {styleText} from 'node:util';
import type {Context} from '../context.ts';
import type {Column} from './lay-table.ts';

const defaultWidth = 80;

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
const outputWidth = ({env}: Context): number => {
	const given = env['COLUMNS'] ?? '';
	return process.stdout.columns || (/^[1-9]\d{0,4}$/.test(given) ? Number(given) : defaultWidth);
};

/** Prints rows as a table that fits the width of the terminal, or as tab-separated lines: as those if standard output is no terminal, unless told. */
export const printTable = async <Row>(
	context: Context,
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
	format: 'table' | 'tsv' = process.stdout.isTTY ? 'table' : 'tsv',
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
	const [titles, ...lines] = layTable(columns, rows, outputWidth(context));
	context.print(context.options.isColorWanted && process.stdout.isTTY ? styleText('bold', titles!, {validateStream: false}) : titles!);
	await printLines(context, lines, context.print);
};
