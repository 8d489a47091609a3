import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {gzipSync} from 'node:zlib';
import type {Command} from 'commander';
import {createCommandLine} from '../commands/command-line.ts';
import {pathOf, subcommandsOf} from '../commands/command-tree.ts';
import {completionScripts, type Shell} from '../commands/completion.ts';
import {topics} from '../commands/help.ts';
import {inheritedOptions, layTopic} from '../commands/help/layout.ts';
import {topicTexts} from '../commands/help/topics.ts';

/*
Writes roff with the macros of man(7). Everything is ASCII: a formatter need not be told the encoding.
*/

/** Characters that roff would change into typographic signs, or take for its own. */
const escapes: Readonly<Record<string, string>> = {
	'\\': String.raw`\e`,
	'-': String.raw`\-`,
	"'": String.raw`\(aq`,
	'"': String.raw`\(dq`,
	'`': String.raw`\(ga`,
	'^': String.raw`\(ha`,
	'~': String.raw`\(ti`,
	'“': String.raw`\(lq`,
	'”': String.raw`\(rq`,
	'→': String.raw`\(->`,
	'×': String.raw`\(mu`,
	'…': '...',
	'–': String.raw`\(en`,
};

/** Returns a text as roff shows it unchanged. A dot would begin a request at the start of a line. */
export function roffText(text: string): string {
	return text
		.replaceAll(
			/["'\-\\^`~]|[^\n -~]/gu,
			sign => escapes[sign] ?? String.raw`\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
		)
		.replaceAll(/^\./gm, String.raw`\&.`);
}

/** Such lines fit on a terminal of 80 columns. */
const textColumns = 72;

const summary = 'terminal UI and commands for people who run voice agents';

/** The headings of topics that differ from their names. */
const headings: Readonly<Record<string, string>> = {'exit-codes': 'EXIT STATUS', json: 'JSON OUTPUT', state: 'STATE FILE'};

/** Returns the manual page `switchboard(1)`: the help of each command, and the help topics. */
export async function manualPage(version: string): Promise<string> {
	const program = createCommandLine(() => async () => undefined);
	const sections = await Promise.all(
		topics.map(async ({name, load}) => section(headings[name] ?? name.toUpperCase(), layTopic(await load(), textColumns))),
	);
	return [
		`.TH SWITCHBOARD 1 "" "switchboard ${roffText(version)}" "User Commands"`,
		'.nh',
		'.ad l',
		'.SH NAME',
		String.raw`switchboard \- ${summary}`,
		...section('SYNOPSIS', 'switchboard [options]\nswitchboard [options] command [arguments]\nswitchboard help [topic]'),
		...section('DESCRIPTION', helpOf(program).slice(helpOf(program).indexOf('\n\n') + 2)),
		'.SH COMMANDS',
		...program.commands.flatMap(command => roffCommand(command)),
		...sections.flat(),
		...section('FILES', layTopic(topicTexts['files']!, textColumns)),
		'.SH "SEE ALSO"',
		String.raw`\fBssh\fR(1), \fBssh\-keygen\fR(1), \fBsshd\fR(8)`,
		'',
	].join('\n');
}

const section = (title: string, text: string): readonly string[] => [`.SH "${roffText(title)}"`, ...verbatim(text)];

/** Lines that are shown as they are. */
const verbatim = (text: string): readonly string[] => ['.nf', roffText(text.trim()), '.fi'];

/** Returns the help of a command, without the options that it takes from the program. */
function helpOf(command: Command): string {
	let text = '';
	command.configureOutput({
		getOutHelpWidth: () => textColumns,
		writeOut(more) {
			text += more;
		},
	});
	command.outputHelp();
	return text.replace(stripVTControlCharacters(inheritedOptions({command})), '');
}

/** A command and its subcommands, each under its heading. */
const roffCommand = (command: Command): readonly string[] => [
	`.SS "${roffText(pathOf(command))}"`,
	...verbatim(helpOf(command)),
	...subcommandsOf(command).flatMap(subcommand => roffCommand(subcommand)),
];

/** The names by which the shells find the scripts in a folder of theirs. */
const scriptNames: Readonly<Record<Shell, string>> = {bash: 'switchboard.bash', zsh: '_switchboard', fish: 'switchboard.fish'};

/** Writes the manual page and the completion scripts, for those who install the package. */
export async function writeManualFiles(outputFolder: string, version: string): Promise<void> {
	const manualFolder = path.join(outputFolder, 'man');
	const completionFolder = path.join(outputFolder, 'completions');
	await Promise.all([manualFolder, completionFolder].map(async folder => mkdir(folder, {recursive: true})));
	await Promise.all([
		writeFile(path.join(manualFolder, 'switchboard.1.gz'), gzipSync(await manualPage(version), {level: 9})),
		...Object.entries(scriptNames).map(async ([shell, name]) =>
			writeFile(path.join(completionFolder, name), `${completionScripts[shell as Shell]}\n`),
		),
	]);
}
