import type {DefineCommand} from './command.ts';

export const definePresets: DefineCommand = parent => parent
	.command('presets')
	.description('list presets: named sets of what is on and off');
