import process from 'node:process';
import {
	Command,
	Option,
	type OutputConfiguration,
	type ParseOptionsResult,
} from 'commander';
import {version} from '../platform/program.ts';
import type {StandardStreams} from '../platform/standard-streams.ts';
import {examples, type DefineCommand, type Run} from './command.ts';
import {defineAbilities} from './abilities.ts';
import {defineAccounts} from './accounts.ts';
import {defineAgents} from './agents.ts';
import {
	defineBackup,
	defineCheck,
	defineCopy,
	defineMigrate,
	defineRestore,
} from './maintenance.ts';
import {defineCompletion} from './completion.ts';
import {
	addAliases,
	globalOptionsHint,
	helpConfiguration,
	parseWords,
} from './command-tree.ts';
import {globalOptionTable, parseTimeout, timeoutValue} from './global-options.ts';
import {defineHelp, topicList} from './help.ts';
import {refuseRepeatedOptions, wrongValue} from './options.ts';
import {defineInstall, defineInstalled} from './installed.ts';
import {defineKeys} from './keys.ts';
import {defineLogin, defineLogout} from './sign-in.ts';
import {defineProfiles} from './profiles.ts';
import {defineServe} from './serve.ts';
import {defineSshServe} from './ssh-serve.ts';
import {defineDisable, defineEnable, defineToggle} from './switch.ts';
import {defineStatus} from './status.ts';
import {defineUninstall} from './removal.ts';
import {defineExport} from './export.ts';
import {defineApply, definePlan, defineState} from './apply.ts';
import {definePresets} from './presets.ts';
import {defineWait, defineWatch} from './watch.ts';
import {defineMcp} from './mcp.ts';
import {outputWidth, printJsonOr} from './context.ts';

const defineVersion: DefineCommand = (parent, run) => parent
	.command('version')
	.description('print the version')
	.addHelpText('after', examples(['switchboard version', 'the same as: switchboard --version']))
	.action(run(async context => {
		await printJsonOr(context, {version}, () => {
			context.print(version);
		});
	}));

const groups: ReadonlyArray<readonly [heading: string, commands: readonly DefineCommand[]]> = [
	['Agents and abilities:', [defineAgents, defineAbilities, defineInstalled, defineEnable, defineDisable, defineToggle, defineInstall, defineUninstall]],
	['State as code:', [defineExport, definePlan, defineApply, defineState, definePresets]],
	['Watching:', [defineWatch, defineWait]],
	['Services and keys:', [defineLogin, defineLogout, defineProfiles, defineStatus]],
	['The bundled service:', [defineServe, defineKeys, defineAccounts, defineBackup, defineRestore, defineCheck, defineCopy, defineMigrate]],
	['Over SSH:', [defineSshServe]],
	['Other commands:', [defineMcp, defineCompletion, defineHelp, defineVersion]],
];

const readTimeout = (text: string): number => {
	const milliseconds = parseTimeout(text);
	if (milliseconds === undefined) {
		throw wrongValue('--timeout', text, timeoutValue);
	}

	return milliseconds;
};

const addGlobalOptions = (program: Command): void => {
	for (const {name, value, description} of globalOptionTable) {
		const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description);
		program.addOption(name === 'timeout' ? option.argParser(readTimeout) : option);
	}
};

const setHelpGroup = (command: Command, heading: string): void => {
	command.helpGroup(heading);
	for (const subcommand of command.commands) {
		setHelpGroup(subcommand, heading);
	}
};

/** Where Commander prints the help; it has no colour. `report-error.ts` prints the errors. */
const helpOutput = (streams: StandardStreams): OutputConfiguration => ({
	writeOut(text) {
		streams.stdout.write(text);
	},
	writeErr(text) {
		streams.stderr.write(text);
	},
	outputError() {/* Not here. */},
	getOutHelpWidth: () => outputWidth(streams.stdout),
	getErrHelpWidth: () => outputWidth(streams.stderr),
	getOutHasColors: () => false,
	getErrHasColors: () => false,
});

const versionFlag = '--version';

/** The program. After a command that has a `--version` of its own, which takes a number, the word is that command's. */
class Program extends Command {
	override parseOptions(words: string[]): ParseOptionsResult {
		const index = words.findIndex(word => word === versionFlag || word.startsWith(`${versionFlag}=`));
		const {command} = parseWords(this, words.slice(0, Math.max(0, index)));
		if (command !== this && command.options.some(({long}) => long === versionFlag)) {
			Object.assign(this, {options: this.options.filter(({long}) => long !== versionFlag)});
		}

		return super.parseOptions(words);
	}
}

/** The whole command line: the names, options and help of every command. The code of a command is loaded when it runs. */
export const createCommandLine = (run: Run, streams: StandardStreams = process): Command => {
	const program = new Program('switchboard')
		.description('Manage the agents and abilities of a voice service. Without a command, in a terminal, it opens the terminal UI.')
		.version(version, '-v, --version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		.configureHelp(helpConfiguration)
		.helpCommand(false)
		.configureOutput(helpOutput(streams))
		.exitOverride()
		.addHelpText('after', topicList())
		.addHelpText('after', examples(
			['switchboard', 'open the terminal UI'],
			['switchboard login', 'sign in to a service'],
			['switchboard installed', 'list installed abilities'],
			['switchboard disable pantry', 'switch an ability off'],
			['switchboard serve --sample', 'run the bundled service with sample data'],
		))
		.addHelpText('afterAll', globalOptionsHint);
	addGlobalOptions(program);
	for (const [heading, definitions] of groups) {
		for (const define of definitions) {
			const command = define(program, run);
			setHelpGroup(command, heading);
			addAliases(command);
			// Of the options of all commands the last one counts: it may override that of an alias.
			refuseRepeatedOptions(command);
		}
	}

	return program;
};
