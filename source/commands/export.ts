import type {DefineCommand} from './command.ts';

export const defineExport: DefineCommand = parent => parent
	.command('export')
	.description('print the state of the account as YAML')
	.argument('[file]', 'the file to write it to');
