import type {DefineCommand} from './command.ts';

export const defineWait: DefineCommand = parent => parent
	.command('wait')
	.description('wait until installed abilities are on or off')
	.argument('<installed...>', 'ids, or names in any case');
