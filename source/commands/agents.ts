import {defineEditAgent} from './agents-edit.ts';
import {resourceCommand} from './list-command.ts';
import {agentColumns} from './output/columns.ts';

export const defineAgents = resourceCommand({
	resource: 'agents',
	description: 'list agents',
	columns: agentColumns,
	ifEmpty: 'There are no agents.',
	examples: [
		['switchboard agents', 'id, name, abilities, first line of the prompt'],
		['switchboard agents --json', 'the records as the service returned them'],
		['switchboard agents edit Hearth --name Hob', 'rename an agent'],
	],
	subcommands: [defineEditAgent],
});
