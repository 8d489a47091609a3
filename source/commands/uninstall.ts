import type {DefineCommand} from './command.ts';

export const defineUninstall: DefineCommand = parent => parent
	.command('uninstall')
	.description('uninstall abilities; the abilities themselves stay')
	.argument('<installed...>', 'ids, or names in any case');
