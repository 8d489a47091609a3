import type {DefineCommand} from './command.ts';

export const defineInstall: DefineCommand = parent => parent
	.command('install')
	.description('install abilities')
	.argument('<ability...>', 'ids, or names in any case');
