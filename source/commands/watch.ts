import type {DefineCommand} from './command.ts';

export const defineWatch: DefineCommand = parent => parent
	.command('watch')
	.description('print each change as it happens');
