import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {styleText} from 'node:util';
import type {Context} from '../context.ts';
import type {Column} from './lay-table.ts';

/** A signal has its turn while a long list is printed. */
const linesInATurn = 1000;

/** Tab-separated lines without titles, with texts in full, for `cut` and `awk`. */
export const tabTable = <Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): readonly string[] =>
	rows.map(row => columns.map(({text}) => text(row)).join('\t'));

/** Prints rows as a table that fits the terminal, or as tab-separated lines if standard output is no terminal. */
export const printTable = async <Row>(context: Context, columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): Promise<void> => {
	if (!process.stdout.isTTY) {
		for (const [index, line] of tabTable(columns, rows).entries()) {
			context.print(line);
			if (index % linesInATurn === 0) {
				await nextTurn();
			}
		}

		return;
	}

	if (rows.length === 0) {
		return;
	}

	// The code that measures texts takes as long to load as the rest of a command.
	const {layTable} = await import('./lay-table.ts');
	const [titles, ...lines] = layTable(columns, rows, process.stdout.columns || 80);
	context.print(context.options.isColorWanted ? styleText('bold', titles!, {validateStream: false}) : titles!);
	for (const line of lines) {
		context.print(line);
	}
};
