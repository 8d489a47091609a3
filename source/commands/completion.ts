import {Argument, type Command} from 'commander';
import {examples, type DefineCommand} from './command.ts';
import {completionScripts, shells, type Shell} from './completion/scripts.ts';

export const defineCompletion: DefineCommand = (parent, run) => parent
	.command('completion')
	.description('print the completion script of a shell')
	.addArgument(new Argument('<shell>', 'which shell').choices(shells))
	.addHelpText('after', examples(
		['source <(switchboard completion bash)', 'in ~/.bashrc'],
		['source <(switchboard completion zsh)', 'in ~/.zshrc, after compinit'],
		['switchboard completion fish | source', 'in ~/.config/fish/config.fish'],
	))
	.action(async (shell: Shell, _options: unknown, command: Command) => run(command, async context => {
		context.print(completionScripts[shell]);
	}));
