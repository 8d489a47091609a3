import {Argument} from 'commander';
import {examples, type DefineCommand} from './command.ts';
import {completionScripts, shells, type Shell} from './completion/scripts.ts';
import {wrongChoice} from './wrong-value.ts';

const parseShell = (text: string): Shell => {
	const shell = shells.find(name => name === text);
	if (shell === undefined) {
		throw wrongChoice('the shell', text, shells);
	}

	return shell;
};

export const defineCompletion: DefineCommand = (parent, run) => parent
	.command('completion')
	.description('print a shell completion script')
	.addArgument(new Argument('<shell>', 'the shell').choices(shells).argParser(parseShell))
	.addHelpText('after', examples(
		['source <(switchboard completion bash)', 'in ~/.bashrc'],
		['source <(switchboard completion zsh)', 'in ~/.zshrc, after compinit'],
		['switchboard completion fish | source', 'in ~/.config/fish/config.fish'],
	))
	.action(run(async (context, shell: Shell) => {
		context.print(completionScripts[shell]);
	}));
