export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = typeof shells[number];

/** The hidden first word with which the scripts ask for candidates; after it the words up to the cursor. */
export const completionWord = '__complete';

// Each candidate comes on a line of its own, a tab before what it means. Where there is none, the shell offers files.

// Bash takes `=` and `:` for words of their own, also within an address, and replaces what stands after the last of them.
// A word that begins with a quote stays within it, where a backslash means something else.
const bash = String.raw`_switchboard() {
	local candidate index word before special line=$COMP_LINE words=()
	for ((index = 0; index <= COMP_CWORD; index++)); do
		word=${'$'}{COMP_WORDS[index]}
		if [[ $index -gt 0 && -n $line && $line != [[:space:]]* ]]; then
			words[${'$'}{#words[@]}-1]+=$word
		else
			words+=("$word")
			line=${'$'}{line#"${'$'}{line%%[![:space:]]*}"}
		fi
		line=${'$'}{line#"$word"}
	done
	word=${'$'}{words[${'$'}{#words[@]}-1]}
	before=${'$'}{word%"${'$'}{COMP_WORDS[COMP_CWORD]##[=:]*}"}
	COMPREPLY=()
	while IFS= read -r candidate; do
		candidate=${'$'}{candidate%%$'\t'*}
		candidate=${'$'}{candidate:${'$'}{#before}}
		case ${'$'}{COMP_WORDS[COMP_CWORD]} in
			\"*)
				for special in '\' '"' '$' $'\x60'; do
					candidate=${'$'}{candidate//"$special"/"\\$special"}
				done
				;;
			\'*) candidate=${'$'}{candidate//"'"/"'\\''"} ;;
			*) candidate=$(printf '%q' "$candidate") ;;
		esac
		COMPREPLY+=("$candidate")
	done < <(switchboard ${completionWord} "${'$'}{words[@]:1}" 2>/dev/null)
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
