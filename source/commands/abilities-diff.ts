import type {DefineCommand} from './command.ts';

export const defineDiffAbility: DefineCommand = parent => parent
	.command('diff')
	.description('compare the source of an ability with a folder')
	.argument('<ability>', 'an id, or a name in any case')
	.argument('<folder>', 'the folder');
