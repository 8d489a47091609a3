import {defineDeleteAbilities} from './abilities-delete.ts';
import {defineDiffAbility} from './abilities-diff.ts';
import {defineGetAbility} from './abilities-get.ts';
import {definePullAbility} from './abilities-pull.ts';
import {definePushAbilities} from './abilities-push.ts';
import {defineUploadAbility} from './abilities-upload.ts';
import type {DefineCommand} from './command.ts';
import {defineListCommand, listRecords} from './list-command.ts';
import {abilityColumns} from './output/columns.ts';

export const defineAbilities: DefineCommand = (parent, run) => {
	const abilities = defineListCommand(parent, run, {
		name: 'abilities',
		description: 'list abilities',
		examples: [
			['switchboard abilities', 'id, name, category, installed or not, trigger phrases, last change'],
			['switchboard abilities | cut -f1,2', 'ids and names only'],
			['switchboard abilities get pantry', 'one ability with all its fields'],
		],
		columns: abilityColumns,
		list: listRecords('abilities', abilityColumns, 'There are no abilities.'),
	});
	defineGetAbility(abilities, run);
	defineUploadAbility(abilities, run);
	definePushAbilities(abilities, run);
	definePullAbility(abilities, run);
	defineDiffAbility(abilities, run);
	defineDeleteAbilities(abilities, run);
	return abilities;
};
