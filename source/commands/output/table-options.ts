import {type Command, Option} from 'commander';
import {SwitchboardError} from '../../interface/errors.ts';
import type {GlobalOptions} from '../context.ts';
import {wrongChoice, wrongValue} from '../wrong-value.ts';
import type {Column} from './lay-table.ts';

export const formats = ['table', 'tsv', 'json', 'jsonl', 'yaml'] as const;

export type Format = (typeof formats)[number];

/** How a list is to be printed, as the options `--columns` and `--format` say. */
export type TableOptions = {
	/** The names of the columns, in their order; `undefined` for all. */
	readonly columns?: readonly string[];
	/** `undefined` for a table on a terminal and tab-separated lines elsewhere. */
	readonly format?: Format;
};

export const columnName = ({name, title}: Pick<Column<never>, 'name' | 'title'>): string => name ?? title.toLowerCase();

const parseFormat = (text: string): Format => {
	const format = formats.find(candidate => candidate === text);
	if (format === undefined) {
		throw wrongChoice('--format', text, formats);
	}

	return format;
};

const parseColumns = (names: readonly string[]) => (text: string): readonly string[] => {
	const wanted = text.split(',').map(name => name.trim().toLowerCase());
	const wrong = wanted.find(name => !names.includes(name));
	if (wrong !== undefined) {
		throw wrongValue('--columns', wrong, `some of ${names.join(', ')}, separated by commas`);
	}

	return wanted;
};

/** Adds the options of a command that prints a list with these columns. */
export const addTableOptions = (command: Command, columns: ReadonlyArray<Column<never>>): Command => {
	const names = columns.map(column => columnName(column));
	return command
		// The choices are there for completion: several may be given.
		.addOption(new Option('--columns <list>', 'print only these columns, in this order').choices(names).argParser(parseColumns(names)))
		.addOption(new Option('--format <format>', 'how to print the list (default: table on a terminal, tsv elsewhere)').choices(formats).argParser(parseFormat));
};

/**
The format to print in; `undefined` if it depends on what standard output is.

@throws SwitchboardError `usage` if `--json` was given with another format.
*/
export const chosenFormat = ({isJson}: GlobalOptions, {format}: TableOptions): Format | undefined => {
	if (isJson && format !== undefined && format !== 'json') {
		throw new SwitchboardError('usage', `--json and --format ${format} cannot be used together.`, {nextStep: 'Use one of them.'});
	}

	return isJson ? 'json' : format;
};
