import {Argument} from 'commander';
import type {DefineCommand} from './command.ts';
import {parseChoice} from './options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The hidden command that the scripts call for candidates, followed by a hyphen and the shell, then the words up to the cursor. */
export const completionWord = '__complete';

// Each candidate is a line. If there is none, the shell offers files.

// Bash takes `=`, `:` and `@` as separate words, even within an address; it replaces $2, the end of the typed text.
const bash = `_switchboard() {
	local candidate index word line=$COMP_LINE words=()
	for ((index = 0; index <= COMP_CWORD; index++)); do
		word=\${COMP_WORDS[index]}
		if [[ $index -gt 0 && -n $line && $line != [[:space:]]* ]]; then
			words[\${#words[@]}-1]+=$word
		else
			words+=("$word")
			line=\${line#"\${line%%[![:space:]]*}"}
		fi
		line=\${line#"$word"}
	done
	COMPREPLY=()
	while IFS= read -r candidate; do
		COMPREPLY+=("$candidate")
	done < <(switchboard ${completionWord}-bash "$2" "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _switchboard switchboard`;

// Words in _describe end at a colon; -U takes them as they are, because their case may differ from the typed text.
const zsh = String.raw`#compdef switchboard
_switchboard() {
	local line word
	local -a lines described dashed
	lines=("${'$'}{(@f)$(switchboard ${completionWord}-zsh "${'$'}{(@Q)words[2,CURRENT-1]}" "${'$'}{(Q)PREFIX}" 2>/dev/null)}")
	for line in "${'$'}{(@)lines:#}"; do
		word=${'$'}{line%%$'\t'*}
		if [[ $word == '-- '* ]]; then
			dashed+=("-- ${'$'}{(q)word#-- }")
		else
			described+=("${'$'}{${'$'}{word//\\/\\\\}//:/\\:}:${'$'}{${'$'}{line#"$word"}#$'\t'}")
		fi
	done
	if (( ${'$'}{#dashed} )); then
		compadd -Q -U -- "${'$'}{(@)dashed}"
	fi
	if (( ${'$'}{#described} )); then
		_describe -t values value described -U
	elif (( ! ${'$'}{#dashed} )); then
		_files
	fi
}
if [ "${'$'}{funcstack[1]}" = "_switchboard" ]; then
	_switchboard "$@"
else
	compdef _switchboard switchboard
fi`;

const fish = String.raw`function __switchboard_candidates
	set -l words (commandline -opc) (commandline -ct)
	set -l candidates (switchboard ${completionWord}-fish $words[2..-1] 2>/dev/null)
	if set -q candidates[1]
		printf '%s\n' $candidates
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c switchboard -f -a '(__switchboard_candidates)'`;

export const completionScripts: Readonly<Record<Shell, string>> = {bash, zsh, fish};

export const defineCompletion: DefineCommand = (parent, run) =>
	parent
		.command('completion')
		.description('print a shell completion script')
		.addArgument(new Argument('<shell>', 'the shell').choices(shells).argParser(parseChoice('the shell', shells)))
		.examples(
			['source <(switchboard completion bash)', 'in ~/.bashrc'],
			['source <(switchboard completion zsh)', 'in ~/.zshrc, after compinit'],
			['switchboard completion fish | source', 'in ~/.config/fish/config.fish'],
		)
		.action(
			run(async (context, shell: Shell) => {
				context.print(completionScripts[shell]);
			}),
		);
