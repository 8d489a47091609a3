import type {DefineCommand} from './command.ts';

export const definePushAbilities: DefineCommand = parent => parent
	.command('push')
	.description('create abilities from folders, or release those that differ')
	.argument('<folder...>', 'each contains main.py and __init__.py');
