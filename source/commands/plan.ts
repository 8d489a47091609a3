import type {DefineCommand} from './command.ts';

export const definePlan: DefineCommand = parent => parent
	.command('plan')
	.description('show what apply would change')
	.argument('<file>', 'the state file, or “-” for standard input');
