import {execFileSync, mkdirSync, path, process, writeFileSync} from '../helpers/node.ts';
import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

export function isShellHere(name: ShellName): boolean {
	try {
		execFileSync(name, ['-c', 'exit 0'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

/** Puts a `switchboard` on the path, as an installation does; gives back that path. */
function pathWithProgram(home: IsolatedHome): string {
	const folder = path.join(home.folder, 'installed');
	mkdirSync(folder, {recursive: true});
	writeFileSync(path.join(folder, 'switchboard'), `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`, {mode: 0o755});
	return `${folder}:${process.env['PATH'] ?? ''}`;
}

/** The folder on the path for a `switchboard` whose commands run in the process of the tests. */
export function inProcessFolder(home: IsolatedHome): string {
	return path.join(home.folder, 'bin');
}

const pathInProcess = (home: IsolatedHome): string => `${inProcessFolder(home)}:${process.env['PATH'] ?? ''}`;

/** The completion scripts of the package. */
export const completionFolder = path.join(path.dirname(programFile), 'completions');

/** In place of running the program: a line that shows the words that it would get. */
const tellWords = 'switchboard() { case "$1" in __complete*|completion) command switchboard "$@";; *) printf "<%s>" "$@"; echo; esac; }';

type CompletionSource = 'command' | 'package';

const initZsh = 'autoload -Uz compinit && compinit -u -D';

/** How to set completion up: by the command that prints the script, or with the file in the package. */
const completionLines: Readonly<Record<ShellName, Readonly<Record<CompletionSource, readonly string[]>>>> = {
	bash: {command: ['source <(switchboard completion bash)'], package: [`source '${completionFolder}/switchboard.bash'`]},
	zsh: {command: [initZsh, 'source <(switchboard completion zsh)'], package: [`fpath=('${completionFolder}' $fpath)`, initZsh]},
	fish: {command: ['switchboard completion fish | source'], package: [`set -p fish_complete_path '${completionFolder}'`]},
};

const startLines = (name: ShellName, source: CompletionSource): readonly string[] =>
	({
		bash: [tellWords, ...completionLines.bash[source], 'PS1="ready> "'],
		zsh: [tellWords, ...completionLines.zsh[source], 'PS1="ready> "'],
		fish: [
			'set -g fish_greeting',
			'function switchboard',
			'switch "$argv[1]"',
			'case "__complete*" completion',
			'command switchboard $argv',
			'case "*"',
			'printf "<%s>" $argv; echo',
			'end; end',
			...completionLines.fish[source],
			'function fish_prompt; echo "ready> "; end',
		],
	})[name];

/** Opens an interactive shell in which the completion is set up, and the program tells what words it was given. */
export async function openShell(name: ShellName, home: IsolatedHome, source: CompletionSource = 'command'): Promise<PseudoTerminal> {
	const folder = path.join(home.folder, `${name}-start`);
	// The name is the one that zsh looks for.
	const file = path.join(folder, '.zshrc');
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		file,
		startLines(name, source)
			.map(line => `${line}\n`)
			.join(''),
	);
	const shellArguments: Readonly<Record<ShellName, readonly string[]>> = {
		bash: ['--rcfile', file, '-i'],
		zsh: ['-i'],
		fish: ['-i', '-C', `source '${file}'`],
	};
	const terminal = openPseudoTerminal({
		command: name,
		args: shellArguments[name],
		env: {...home.env, PATH: source === 'package' ? pathWithProgram(home) : pathInProcess(home), ZDOTDIR: folder},
		columns: 200,
	});
	await terminal.waitFor('ready>');
	return terminal;
}
