/** What messages say of the command line, and the same of the tools. */
const table: ReadonlyArray<readonly [of: RegExp, instead: string]> = [
	[/use: switchboard disable --all/g, 'leave out prune.'],
	[/To install it, use: switchboard install .*/g, 'To install it, name it under “installed:” in apply_state.'],
	[/: switchboard (?<list>agents|abilities|installed)$/gm, ' the tool list_$1.'],
	[/“switchboard (?<list>agents|abilities|installed)”/g, 'the tool list_$1'],
	[/“switchboard enable” or “switchboard disable”/g, 'switch_installed'],
	[/--prune\b/g, 'prune'],
	[/Use --yes to (?<verb>empty|change) it all the same\./g, 'Only a person can $1 it: switchboard agents edit AGENT --prompt TEXT --yes'],
	[/Run the command again/g, 'Call the tool again'],
];

/** A message or a next step for somebody who has the tools, and not the command line. */
export const inToolWords = (text: string): string => {
	let told = text;
	for (const [pattern, instead] of table) {
		told = told.replaceAll(pattern, instead);
	}

	return told;
};
