import type {DefineCommand} from './command.ts';

export const defineMcp: DefineCommand = parent => parent
	.command('mcp')
	.description('serve the operations to an assistant over standard input and output');
