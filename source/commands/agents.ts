import type {Command} from 'commander';
import {defineEditAgent} from './agents-edit.ts';
import {examples, type DefineCommand} from './command.ts';
import {addListSubcommand, printList} from './list-command.ts';
import {agentColumns} from './output/columns.ts';

export const defineAgents: DefineCommand = (parent, run) => {
	const list = async (_options: unknown, command: Command): Promise<void> => run(command, async context => {
		await printList(context, 'agents', agentColumns, 'There are no agents.');
	});
	const agents = parent
		.command('agents')
		.description('list agents')
		.addHelpText('after', examples(
			['switchboard agents', 'id, name, abilities, first line of the prompt'],
			['switchboard agents --json', 'the records as the service returned them'],
			['switchboard agents edit Hearth --name Hob', 'change one'],
		))
		.action(list);
	addListSubcommand(agents, list);
	defineEditAgent(agents, run);
	return agents;
};
