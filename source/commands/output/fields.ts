import {cleanText} from '../../interface/clean-text.ts';
import {isForPerson, type Context} from '../context.ts';

/** What a thing has, by name. */
export type Field = readonly [name: string, value: string | undefined];

/** Prints fields in two columns on a terminal, tab-separated in a pipe; those without a value are left out. */
export const printFields = (context: Context, all: readonly Field[]): void => {
	const fields = all.filter(([, value]) => value !== undefined && value !== '');
	const width = Math.max(...fields.map(([name]) => name.length)) + 2;
	for (const [name, value] of fields) {
		context.print((isForPerson(context) ? name.padEnd(width) : `${name}\t`) + cleanText(value!, 10_000));
	}
};
