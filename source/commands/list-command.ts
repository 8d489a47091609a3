import type {Command} from 'commander';
import {toPublicRecord, type Records, type Resource} from '../interface/records.ts';
import {
	examples,
	type Action,
	type DefineCommand,
	type Example,
	type Run,
} from './command.ts';
import type {Context} from './context.ts';
import type {Column} from './output/lay-table.ts';
import {printTable} from './output/table.ts';
import {readList} from './read-list.ts';
import {withService} from './with-service.ts';

type ListCommand = {
	readonly name: string;
	readonly description: string;
	readonly help: string;
	readonly list: Action<readonly []>;
};

/** Adds a command that lists. `list` after it does the same, for people who type it as with other programs; the help leaves that out. */
export const defineListCommand = (parent: Command, run: Run, {name, description, help, list}: ListCommand): Command => {
	const command = parent
		.command(name)
		.description(description)
		.helpCommand(false)
		.addHelpText('after', help);
	command
		.command('list', {isDefault: true, hidden: true})
		.description(description)
		.addHelpText('after', help)
		.action(run(list));
	return command;
};

type Rows<Row> = {
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly rows: readonly Row[];
	/** What `--json` prints. */
	readonly json: unknown;
	/** What a person is told where there is no row. */
	readonly ifEmpty: string;
};

/** Prints a list: as JSON where that is wanted, else as a table. */
export const printRows = async <Row>(context: Context, {columns, rows, json, ifEmpty}: Rows<Row>): Promise<void> => {
	if (context.options.isJson) {
		context.printJson(json);
		return;
	}

	if (rows.length === 0) {
		context.note(ifEmpty);
	}

	await printTable(context, columns, rows);
};

type ResourceCommand<R extends Resource> = {
	readonly resource: R;
	readonly description: string;
	readonly columns: ReadonlyArray<Column<Records[R]>>;
	readonly ifEmpty: string;
	readonly examples: readonly Example[];
	/** The commands below it. */
	readonly subcommands?: readonly DefineCommand[];
};

/** Defines the command that lists a resource of the service. */
export const resourceCommand = <R extends Resource>({resource, description, columns, ifEmpty, subcommands = [], ...help}: ResourceCommand<R>): DefineCommand => (parent, run) => {
	const command = defineListCommand(parent, run, {
		name: resource,
		description,
		help: examples(...help.examples),
		async list(context) {
			const rows = await withService(context, async service => readList(context, service, resource));
			await printRows(context, {
				columns, rows, json: rows.map(record => toPublicRecord(resource, record)), ifEmpty,
			});
		},
	});
	for (const define of subcommands) {
		define(command, run);
	}

	return command;
};
