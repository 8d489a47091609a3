import {version} from '../platform/version.ts';
import {examples, type DefineCommand} from './command.ts';

export const defineVersion: DefineCommand = (parent, run) => parent
	.command('version')
	.description('print the version')
	.addHelpText('after', examples(['switchboard version', 'the same as: switchboard --version']))
	.action(run(async context => {
		if (context.options.isJson) {
			await context.printJson({version});
		} else {
			context.print(version);
		}
	}));
