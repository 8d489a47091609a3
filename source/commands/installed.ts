import {resourceCommand} from './list-command.ts';
import {installedColumns} from './output/columns.ts';

export const defineInstalled = resourceCommand({
	resource: 'installed',
	description: 'list installed abilities with their state',
	columns: installedColumns,
	ifEmpty: 'Nothing is installed.',
	examples: [
		['switchboard installed', 'id, state, name, category, trigger phrases, last change'],
		[String.raw`switchboard installed | awk -F'\t' '$2 == "off" {print $3}'`, 'the names of the abilities that are off'],
		['switchboard installed --json', 'the records as the service returned them'],
	],
});
