import type {DefineCommand} from './command.ts';
import {defineEditInstalled} from './installed-edit.ts';
import {defineListCommand, listRecords} from './list-command.ts';
import {installedColumns} from './output/columns.ts';

export const defineInstalled: DefineCommand = (parent, run) => {
	const installed = defineListCommand(parent, run, {
		name: 'installed',
		description: 'list installed abilities with their state',
		examples: [
			['switchboard installed', 'id, state, name, category, trigger phrases, last change'],
			[String.raw`switchboard installed | awk -F'\t' '$2 == "off" {print $3}'`, 'the names of the abilities that are off'],
			['switchboard installed --json', 'the records as the service returned them'],
		],
		columns: installedColumns,
		list: listRecords('installed', installedColumns, 'Nothing is installed.'),
	});
	defineEditInstalled(installed, run);
	return installed;
};
