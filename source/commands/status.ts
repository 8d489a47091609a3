import type {DefineCommand} from './command.ts';

export const defineStatus: DefineCommand = parent => parent
	.command('status')
	.description('show which service and key are used, and whether the service answers');
