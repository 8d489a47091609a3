import process from 'node:process';
import type {Context} from '../context.ts';

/** A name and its value, a cleaned line; fields without a value are not printed. */
export type Field = readonly [name: string, value: string | undefined];

/** Prints the fields of one record: in two columns on a terminal, tab-separated in a pipe. */
export const printFields = (context: Context, fields: readonly Field[]): void => {
	const shown = fields.filter(([, value]) => value !== undefined && value !== '');
	const width = Math.max(...shown.map(([name]) => name.length)) + 2;
	for (const [name, value] of shown) {
		context.print(process.stdout.isTTY ? name.padEnd(width) + value : `${name}\t${value}`);
	}
};
