import {defineDeleteAbilities} from './abilities-delete.ts';
import {defineGetAbility} from './abilities-get.ts';
import {defineUploadAbility} from './abilities-upload.ts';
import {resourceCommand} from './list-command.ts';
import {abilityColumns} from './output/columns.ts';

export const defineAbilities = resourceCommand({
	resource: 'abilities',
	description: 'list abilities',
	columns: abilityColumns,
	ifEmpty: 'There are no abilities.',
	examples: [
		['switchboard abilities', 'id, name, category, installed or not, trigger phrases, last change'],
		['switchboard abilities | cut -f1,2', 'ids and names only'],
		['switchboard abilities get pantry', 'one ability with all its fields'],
	],
	subcommands: [defineGetAbility, defineUploadAbility, defineDeleteAbilities],
});
