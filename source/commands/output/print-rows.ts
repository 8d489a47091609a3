import {type JsonObject, type JsonValue, stringifyJson} from '../../interface/json.ts';
import type {Context} from '../context.ts';
import type {Column} from './lay-table.ts';
import {printLines, printTable} from './table.ts';
import {
	chosenFormat,
	columnName,
	type Format,
	type TableOptions,
} from './table-options.ts';

const recordsInAPart = 1000;

/** The YAML of a long list is made of that of its parts: a signal has its turn between them. */
const printYaml = async (context: Context, records: readonly unknown[]): Promise<void> => {
	const {stringifyYaml} = await import('../../state/yaml-text.ts');
	const starts = Array.from({length: Math.max(1, Math.ceil(records.length / recordsInAPart))}, (_, index) => index * recordsInAPart);
	await printLines(context, starts.map(start => stringifyYaml(records.slice(start, start + recordsInAPart))), context.printData, 1);
};

const printers = {
	json: async ({printJson}: Context, records: readonly unknown[]) => printJson(records),
	jsonl: async (context: Context, records: readonly unknown[]) => printLines(context, records.values().map(record => `${stringifyJson(record, 0)}\n`), context.printData),
	yaml: printYaml,
} as const;

const isDataFormat = (format: Format): format is keyof typeof printers => Object.hasOwn(printers, format);

const toObject = <Row>(columns: ReadonlyArray<Column<Row>>, row: Row): JsonObject =>
	Object.fromEntries(columns.map((column): readonly [string, JsonValue] => [columnName(column), (column.value ?? column.text)(row)]));

type RowsOptions = {
	/** What a person is told if there are no rows. */
	readonly ifEmpty: string;
	/** The records for JSON and YAML; by default the rows. With `--columns` they have these columns as their fields. */
	readonly json?: readonly unknown[];
	readonly options?: TableOptions | undefined;
};

/**
Prints a list in the format that the options of the command choose.

@throws SwitchboardError `usage` if `--json` was given with another format.
*/
export const printRows = async <Row>(context: Context, columns: ReadonlyArray<Column<Row>>, rows: readonly Row[], {ifEmpty, json = rows, options = {}}: RowsOptions): Promise<void> => {
	const format = chosenFormat(context.options, options);
	const picked = options.columns?.map(name => columns.find(column => columnName(column) === name)!);
	if (format !== undefined && isDataFormat(format)) {
		await printers[format](context, picked === undefined ? json : rows.map(row => toObject(picked, row)));
		return;
	}

	if (rows.length === 0) {
		context.note(ifEmpty);
	}

	await printTable(context, picked ?? columns, rows, format);
};
