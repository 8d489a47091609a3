import {Option, type Command} from 'commander';
import {cleanText} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../../interface/json.ts';
import {isForPerson, outputWidth, paint, printJsonOr, type Context, type PrintTone} from '../context.ts';
import type {GlobalOptions} from '../global-options.ts';
import {parseChoice, wrongValue} from '../options.ts';
import type {Column} from './lay-table.ts';

/** A named value of a record, with the colour of its meaning. */
export type Field = readonly [name: string, value: string | undefined, tone?: PrintTone];

/** Prints fields in two columns on a terminal, tab-separated in a pipe; fields without a value are left out. */
export function printFields(context: Context, all: readonly Field[]): void {
	const fields = all.filter(([, value]) => value !== undefined && value !== '');
	const width = Math.max(...fields.map(([name]) => name.length)) + 2;
	for (const [name, value, tone] of fields) {
		const text = cleanText(value!, 10_000);
		context.print(isForPerson(context) ? name.padEnd(width) + paint(context, tone, text) : `${name}\t${text}`);
	}
}

type Result = {
	readonly json: unknown;
	/** For a person. */
	readonly sentence: string;
	/** For a pipe, separated by tabs. */
	readonly fields: ReadonlyArray<string | number>;
};

export async function printResult(context: Context, {json, sentence, fields}: Result): Promise<void> {
	return printJsonOr(context, json, () => context.print(isForPerson(context) ? sentence : fields.join('\t')));
}

const formats = ['table', 'tsv', 'json', 'jsonl', 'yaml'] as const;

type Format = (typeof formats)[number];

/** The form of a list, from the options `--columns` and `--format`. */
export type TableOptions = {
	/** The names of the columns, in order; `undefined` for all. */
	readonly columns?: readonly string[];
	/** `undefined` for a table on a terminal and tab-separated lines elsewhere. */
	readonly format?: Format;
};

/** Adds the options of a command that prints a list with these columns. */
export function addTableOptions<C extends Command>(command: C, columns: ReadonlyArray<Column<never>>): C {
	const names = [...new Set(columns.map(column => columnName(column)))];
	return (
		command
			// The choices are for completion, because several may be given.
			.addOption(
				new Option('--columns <list>', 'print only these columns, in this order, separated by commas (default: all)')
					.choices(names)
					.argParser(parseColumns(columns, names)),
			)
			.addOption(
				new Option('--format <format>', 'how to print the list (default: table on a terminal, tsv elsewhere)')
					.choices(formats)
					.argParser(parseChoice('--format', formats)),
			)
	);
}

const fieldName = ({name, title}: Pick<Column<never>, 'name' | 'title'>): string => name ?? title.toLowerCase();

const columnName = (column: Pick<Column<never>, 'name' | 'shownName' | 'title'>): string => column.shownName ?? fieldName(column);

const parseColumns =
	(columns: ReadonlyArray<Column<never>>, names: readonly string[]) =>
	(text: string): readonly string[] =>
		text.split(',').map(part => {
			const wanted = part.trim().toLowerCase();
			const column = columns.find(each => columnName(each) === wanted || fieldName(each) === wanted);
			if (column === undefined) {
				throw wrongValue('--columns', wanted, `some of ${names.join(', ')}, separated by commas`);
			}

			return fieldName(column);
		});

/**
Returns the format to print in; `undefined` if it depends on standard output.

@throws SwitchboardError `usage` if `--json` was given with another format.
*/
export function chosenFormat({isJson}: GlobalOptions, {format}: TableOptions): Format | undefined {
	if (isJson && format !== undefined && format !== 'json') {
		throw new SwitchboardError('usage', `--json and --format ${format} cannot be used together.`, {nextStep: 'Use one of them.'});
	}

	return isJson ? 'json' : format;
}

/** Returns tab-separated lines without titles, with texts in full, for `cut` and `awk`. */
function tabTable<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): readonly string[] {
	return rows.map(row => columns.map(({text}) => text(row)).join('\t'));
}

/**
Prints rows as a table that fits the width of the terminal, or as tab-separated lines. These are the default if standard output is not a
terminal.

@param isWhole - true if no column may be left out for lack of room, because the person chose the columns.
*/
export async function printTable<Row>(
	context: Context,
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
	format: 'table' | 'tsv' = isForPerson(context) ? 'table' : 'tsv',
	isWhole = !isForPerson(context),
): Promise<void> {
	if (format === 'tsv') {
		await printLines(context, tabTable(columns, rows), context.print);
		return;
	}

	if (rows.length === 0) {
		return;
	}

	// The code that measures texts takes as long to load as the rest of a command.
	const {layTable} = await import('./lay-table.ts');
	const [titles, ...lines] = layTable(columns, rows, tableWidth(context), {isWhole, paint: (tone, text) => paint(context, tone, text)});
	context.print(paint(context, 'title', titles!));
	await printLines(context, lines, context.print);
}

/** Prints many lines. */
async function printLines(
	{whenPrinted}: Context,
	lines: Iterable<string>,
	print: (line: string) => void,
	linesInATurn = 1000,
): Promise<void> {
	let count = 0;
	for (const line of lines) {
		print(line);
		if (count++ % linesInATurn === 0) {
			await whenPrinted();
		}
	}
}

/** Returns the width of the terminal; elsewhere the width that the shell gives. */
function tableWidth({env, streams}: Context): number {
	const given = env['COLUMNS'] ?? '';
	return outputWidth(streams.stdout, /^[1-9]\d{0,4}$/.test(given) ? Number(given) : undefined);
}

const recordsInAPart = 1000;

const printers = {
	json: async ({printJson}: Context, records: readonly unknown[]) => printJson(records),
	jsonl: async (context: Context, records: readonly unknown[]) =>
		printLines(
			context,
			records.values().map(record => `${stringifyJson(record, 0)}\n`),
			context.printData,
		),
	yaml: printYaml,
} as const;

type RowsOptions = {
	readonly ifEmpty: string;
	/** The records for JSON and YAML; by default the rows. With `--columns` these columns are their fields. */
	readonly json?: readonly unknown[];
	readonly options?: TableOptions | undefined;
};

/**
Prints a list in the format that the command's options choose.

@throws SwitchboardError `usage` if `--json` was given with another format.
*/
export async function printRows<Row>(
	context: Context,
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
	{ifEmpty, json = rows, options = {}}: RowsOptions,
): Promise<void> {
	const format = chosenFormat(context.options, options);
	const picked = options.columns?.map(name => columns.find(column => fieldName(column) === name)!);
	if (format !== undefined && isDataFormat(format)) {
		await printers[format](context, picked === undefined ? json : rows.map(row => toObject(picked, row)));
		return;
	}

	if (rows.length === 0) {
		context.note(ifEmpty);
	}

	await printTable(context, picked ?? columns, rows, format, picked !== undefined || !isForPerson(context));
}

const isDataFormat = (format: Format): format is keyof typeof printers => Object.hasOwn(printers, format);

const toObject = <Row>(columns: ReadonlyArray<Column<Row>>, row: Row): JsonObject =>
	Object.fromEntries(columns.map((column): readonly [string, JsonValue] => [fieldName(column), (column.value ?? column.text)(row)]));

/** Prints the YAML of a long list in parts, so that signals are handled in between. */
async function printYaml(context: Context, records: readonly unknown[]): Promise<void> {
	const {stringifyYaml} = await import('../../state/yaml-text.ts');
	const starts = Array.from({length: Math.max(1, Math.ceil(records.length / recordsInAPart))}, (_, index) => index * recordsInAPart);
	await printLines(
		context,
		starts.map(start => stringifyYaml(records.slice(start, start + recordsInAPart))),
		context.printData,
		1,
	);
}
