import type {Command} from 'commander';
import {examples, type DefineCommand} from './command.ts';
import {addListSubcommand, printList} from './list-command.ts';
import {installedColumns} from './output/columns.ts';

export const defineInstalled: DefineCommand = (parent, run) => {
	const list = async (_options: unknown, command: Command): Promise<void> => run(command, async context => {
		await printList(context, 'installed', installedColumns, 'Nothing is installed.');
	});
	const installed = parent
		.command('installed')
		.description('list installed abilities, each with its state')
		.addHelpText('after', examples(
			['switchboard installed', 'id, state, name, category, trigger phrases, last change'],
			[String.raw`switchboard installed | awk -F'\t' '$2 == "off" {print $3}'`, 'the names of those that are off'],
			['switchboard installed --json', 'the records as the service returned them'],
		))
		.action(list);
	addListSubcommand(installed, list);
	return installed;
};
