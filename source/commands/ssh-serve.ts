import {examples, type DefineCommand} from './command.ts';

export const defineSshServe: DefineCommand = (parent, run) => parent.command('ssh-serve')
	.description('let others use Switchboard over SSH, without an API key of their own')
	.addHelpText('after', examples(['switchboard ssh-serve', 'serve on port 2222 of this machine']))
	.action(run(async () => undefined, {isEndedBySignal: true}));
