export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = typeof shells[number];

/** The hidden first word with which the scripts ask for candidates; after it the words up to the cursor. */
export const completionWord = '__complete';

// Each candidate comes on a line of its own, a tab before what it means. Where there is none, the shell offers files.

const bash = String.raw`_switchboard() {
	local candidate
	COMPREPLY=()
	while IFS= read -r candidate; do
		COMPREPLY+=("$(printf '%q' "${'$'}{candidate%%$'\t'*}")")
	done < <(switchboard ${completionWord} "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _switchboard switchboard`;

const zsh = String.raw`#compdef switchboard
_switchboard() {
	local -a candidates
	candidates=("${'$'}{(@f)$(switchboard ${completionWord} "${'$'}{(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	candidates=("${'$'}{(@)candidates%%$'\t'*}")
	candidates=("${'$'}{(@)candidates:#}")
	if (( ${'$'}{#candidates} )); then
		compadd -M 'm:{a-zA-Z}={A-Za-z}' -a candidates
	else
		_files
	fi
}
if [ "${'$'}{funcstack[1]}" = "_switchboard" ]; then
	_switchboard "$@"
else
	compdef _switchboard switchboard
fi`;

const fish = `function __switchboard_candidates
	set -l words (commandline -opc) (commandline -ct)
	switchboard ${completionWord} $words[2..-1] 2>/dev/null
end
complete -c switchboard -f -a '(__switchboard_candidates)'
complete -c switchboard -n '__fish_seen_subcommand_from upload' -F
complete -c switchboard -n '__fish_prev_arg_in --image --description-file --data --tls-cert --tls-key' -F`;

export const completionScripts: Readonly<Record<Shell, string>> = {bash, zsh, fish};
