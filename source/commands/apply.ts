import type {DefineCommand} from './command.ts';

export const defineApply: DefineCommand = parent => parent
	.command('apply')
	.description('make the account as a state file says')
	.argument('<file>', 'the state file, or “-” for standard input');
