import type {Command} from 'commander';
import {defineDeleteAbilities} from './abilities-delete.ts';
import {defineGetAbility} from './abilities-get.ts';
import {defineUploadAbility} from './abilities-upload.ts';
import {examples, type DefineCommand} from './command.ts';
import {addListSubcommand, printList} from './list-command.ts';
import {abilityColumns} from './output/columns.ts';

export const defineAbilities: DefineCommand = (parent, run) => {
	const list = async (_options: unknown, command: Command): Promise<void> => run(command, async context => {
		await printList(context, 'abilities', abilityColumns, 'There are no abilities.');
	});
	const abilities = parent
		.command('abilities')
		.description('list abilities')
		.addHelpText('after', examples(
			['switchboard abilities', 'id, name, category, installed or not, trigger phrases, last change'],
			['switchboard abilities | cut -f1,2', 'ids and names alone'],
			['switchboard abilities get pantry', 'one of them, whole'],
		))
		.action(list);
	addListSubcommand(abilities, list);
	defineGetAbility(abilities, run);
	defineUploadAbility(abilities, run);
	defineDeleteAbilities(abilities, run);
	return abilities;
};
