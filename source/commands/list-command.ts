import type {Command} from 'commander';
import {toPublicRecord, type Records, type Resource} from '../interface/records.ts';
import {
	examples,
	type Action,
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
	readonly examples: readonly Example[];
	readonly list: Action<readonly []>;
};

/** Adds a command that lists. It also accepts `list`, as the commands of other programs do; the help does not mention it. */
export const defineListCommand = (parent: Command, run: Run, {name, description, list, ...help}: ListCommand): Command => {
	const describe = (command: Command): Command => command.description(description).addHelpText('after', examples(...help.examples));
	const command = describe(parent.command(name)).helpCommand(false);
	describe(command.command('list', {isDefault: true, hidden: true})).action(run(list));
	return command;
};

/** Prints a list as a table, or the value for `--json`. */
export const printRows = async <Row>(context: Context, columns: ReadonlyArray<Column<Row>>, rows: readonly Row[], {ifEmpty, json = rows}: {
	readonly ifEmpty: string;
	readonly json?: unknown;
}): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson(json);
		return;
	}

	if (rows.length === 0) {
		context.note(ifEmpty);
	}

	await printTable(context, columns, rows);
};

/** Returns the action that lists a resource of the service. */
export const listRecords = <R extends Resource>(resource: R, columns: ReadonlyArray<Column<Records[R]>>, ifEmpty: string): Action<readonly []> => async context => {
	const records = await withService(context, async service => readList(context, service, resource));
	await printRows(context, columns, records, {ifEmpty, json: records.map(record => toPublicRecord(resource, record))});
};
