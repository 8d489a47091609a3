import type {DefineCommand} from './command.ts';

export const defineEditInstalled: DefineCommand = parent => parent
	.command('edit')
	.description('edit the trigger phrases of an installed ability')
	.argument('<installed>', 'an id, or a name in any case');
