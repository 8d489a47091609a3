import type {Command} from 'commander';
import {toPublicRecord, type Records, type Resource} from '../interface/records.ts';
import {examples} from './command.ts';
import type {Context} from './context.ts';
import {printTable, type Column} from './output/table.ts';
import {readList} from './read-list.ts';
import {withService} from './with-service.ts';

/** Prints the list of a resource: what `agents`, `abilities` and `installed` do. */
export const printList = async <R extends Resource>(context: Context, resource: R, columns: ReadonlyArray<Column<Records[R]>>, emptyNote: string): Promise<void> => {
	const records = await withService(context, async service => readList(context, service, resource));
	if (context.options.isJson) {
		context.printJson(records.map(record => toPublicRecord(resource, record)));
		return;
	}

	if (records.length === 0) {
		context.note(emptyNote);
	}

	await printTable(context, columns, records);
};

/** Adds `list` under a command that lists when nothing follows it, for who types it as with other programs. */
export const addListSubcommand = (command: Command, list: (options: unknown, command: Command) => Promise<void>): void => {
	command
		.command('list')
		.description(`the same as “switchboard ${command.name()}”`)
		.addHelpText('after', examples([`switchboard ${command.name()} list --json`, 'one JSON value, for scripts']))
		.action(list);
};
