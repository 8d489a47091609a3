import type {DefineCommand} from './command.ts';

export const definePullAbility: DefineCommand = parent => parent
	.command('pull')
	.description('write the source of an ability to a folder')
	.argument('<ability>', 'an id, or a name in any case')
	.argument('[folder]', 'by default one with the name of the ability');
