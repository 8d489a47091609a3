import type {Command} from 'commander';
import {toPublicRecord, type Records, type Resource} from '../interface/records.ts';
import {
	examples,
	type Action,
	type Example,
	type Run,
} from './command.ts';
import type {Column} from './output/lay-table.ts';
import {printRows} from './output/print-rows.ts';
import {addTableOptions, chosenFormat, type TableOptions} from './output/table-options.ts';
import {readList} from './read-list.ts';
import {withService} from './with-service.ts';

type ListAction = Action<readonly [options: TableOptions]>;

type ListCommand = {
	readonly name: string;
	readonly description: string;
	readonly examples: readonly Example[];
	/** The columns that `--columns` takes. */
	readonly columns: ReadonlyArray<Column<never>>;
	/** Those of `list` beside the usual ones. */
	readonly options?: ReadonlyArray<readonly [flags: string, description: string, parse: (text: string) => string]>;
	readonly list: ListAction;
};

/**
Adds a command that lists, with the options `--columns` and `--format`. It also accepts `list`, as the commands of other programs do;
the help does not mention it.
*/
export const defineListCommand = (parent: Command, run: Run, {name, description, list, columns, options = [], ...help}: ListCommand): Command => {
	const describe = (command: Command): Command => command.description(description).addHelpText('after', examples(...help.examples));
	const command = describe(parent.command(name)).helpCommand(false);
	// The options are those of `list` alone: the other subcommands do not take them.
	const listing = addTableOptions(describe(command.command('list', {isDefault: true, hidden: true})), columns).action(run(list));
	for (const option of options) {
		listing.option(...option);
	}

	return command;
};

/** Returns the action that lists a resource of the service. */
export const listRecords = <R extends Resource>(resource: R, columns: ReadonlyArray<Column<Records[R]>>, ifEmpty: string): ListAction => async (context, options) => {
	// A mistake in the options is told before anything is asked.
	chosenFormat(context.options, options);
	const records = await withService(context, async service => readList(context, service, resource));
	await printRows(context, columns, records, {ifEmpty, options, json: records.map(record => toPublicRecord(resource, record))});
};
