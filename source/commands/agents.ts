import {defineEditAgent} from './agents-edit.ts';
import {defineRestoreAgent} from './agents-restore.ts';
import type {DefineCommand} from './command.ts';
import {defineListCommand, listRecords} from './list-command.ts';
import {agentColumns} from './output/columns.ts';

export const defineAgents: DefineCommand = (parent, run) => {
	const agents = defineListCommand(parent, run, {
		name: 'agents',
		description: 'list agents',
		examples: [
			['switchboard agents', 'id, name, abilities, first line of the prompt'],
			['switchboard agents --json', 'the records as the service returned them'],
			['switchboard agents edit Hearth --name Hob', 'rename an agent'],
		],
		columns: agentColumns,
		list: listRecords('agents', agentColumns, 'There are no agents.'),
	});
	defineEditAgent(agents, run);
	defineRestoreAgent(agents, run);
	return agents;
};
