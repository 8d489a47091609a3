import process from 'node:process';
import {Option, type Command, type HelpContext, type OutputConfiguration, type ParseOptionsResult} from 'commander';
import {version} from '../platform/program.ts';
import type {OutputStream, StandardStreams} from '../platform/standard-streams.ts';
import {toAsciiText} from '../terminal/ascii.ts';
import {DocumentedCommand, type DefineCommand, type Run} from './command.ts';
import {defineAbilities} from './abilities.ts';
import {defineApi} from './api.ts';
import {defineAgents} from './agents.ts';
import {defineAccounts} from './accounts.ts';
import {defineBackup, defineCheck, defineCopy, defineMigrate, defineRestore} from './maintenance.ts';
import {defineCompletion} from './completion.ts';
import {addAliases, parseWords} from './command-tree.ts';
import {
	globalOptionTable,
	parseTimeout,
	timeoutValue,
	toGlobalOptions,
	type Environment,
	type ParsedGlobalOptions,
} from './global-options.ts';
import {defineHelp, topics} from './help.ts';
import {commandGroups, globalOptions, helpConfiguration, inheritedOptions, topicNames} from './help/layout.ts';
import {refuseEmptyValue, refuseMistakenOptions, wrongValue} from './options.ts';
import {defineHistory} from './history.ts';
import {defineUndo} from './undo.ts';
import {defineInstall, defineInstalled} from './installed.ts';
import {defineKeys} from './keys.ts';
import {defineMcp} from './mcp.ts';
import {defineLogin, defineLogout} from './sign-in.ts';
import {defineProfiles} from './profiles.ts';
import {defineServe, defineSshServe} from './serve.ts';
import {defineStatus} from './status.ts';
import {defineDisable, defineEnable, defineToggle} from './switch.ts';
import {defineTimers} from './timers.ts';
import {defineTest} from './try-phrases.ts';
import {defineUninstall} from './removal.ts';
import {defineExport} from './export.ts';
import {defineApply, definePlan, defineState} from './apply.ts';
import {defineChat} from './chat.ts';
import {defineLogs} from './logs.ts';
import {definePhrases} from './phrases.ts';
import {definePresets} from './presets.ts';
import {defineSay} from './say.ts';
import {defineWait, defineWatch} from './watch.ts';
import {isPainted, outputWidth, printJsonOr} from './context.ts';

const defineVersion: DefineCommand = (parent, run) =>
	parent
		.command('version')
		.description('print the version')
		.examples(['switchboard version', 'the same as: switchboard --version'])
		.action(run(async context => printJsonOr(context, {version}, () => context.print(version))));

/** The groups of commands by their names, in the order of the help. */
const groups: ReadonlyArray<readonly [title: string, commands: Readonly<Record<string, DefineCommand>>]> = [
	['Agents', {agents: defineAgents}],
	[
		'Abilities',
		{
			abilities: defineAbilities,
			installed: defineInstalled,
			enable: defineEnable,
			disable: defineDisable,
			toggle: defineToggle,
			timers: defineTimers,
			install: defineInstall,
			uninstall: defineUninstall,
		},
	],
	['State as code', {export: defineExport, plan: definePlan, apply: defineApply, state: defineState, presets: definePresets}],
	['Follow changes', {history: defineHistory, undo: defineUndo, watch: defineWatch, wait: defineWait}],
	['Conversations', {say: defineSay, chat: defineChat, logs: defineLogs, phrases: definePhrases, test: defineTest}],
	['Sign in', {login: defineLogin, logout: defineLogout, profiles: defineProfiles, status: defineStatus}],
	[
		'Run a service',
		{
			serve: defineServe,
			'ssh-serve': defineSshServe,
			keys: defineKeys,
			accounts: defineAccounts,
			backup: defineBackup,
			restore: defineRestore,
			check: defineCheck,
			copy: defineCopy,
			migrate: defineMigrate,
		},
	],
	['Other commands', {api: defineApi, mcp: defineMcp, completion: defineCompletion, help: defineHelp, version: defineVersion}],
];

/** Options of the program that some commands also have, with another meaning. */
const sharedFlags: readonly string[] = ['--version', '--read-only'];

/** The program. After a command with such an option, the word belongs to the command. */
class Program extends DocumentedCommand {
	override parseOptions(words: string[]): ParseOptionsResult {
		for (const flag of sharedFlags) {
			const index = words.findIndex(word => word === flag || word.startsWith(`${flag}=`));
			const {command} = parseWords(this, words.slice(0, Math.max(0, index)));
			if (command !== this && command.options.some(({long}) => long === flag)) {
				Object.assign(this, {options: this.options.filter(({long}) => long !== flag)});
			}
		}

		return super.parseOptions(words);
	}

	/** Without a command, prints the two-line usage to standard error. */
	override outputHelp(context?: HelpContext | ((text: string) => string)): void {
		if (typeof context === 'object' && context.error) {
			this.configureOutput().writeErr?.(
				'Usage: switchboard [options] [command] (without a command it needs a terminal)\nList the commands with: switchboard --help\n',
			);
		} else {
			super.outputHelp(context as HelpContext);
		}
	}
}

/** Returns the first word that is the name of a command, though it may be the value of an option. */
export function findCommandName(words: readonly string[]): string | undefined {
	return words.find(word => groups.some(([, definitions]) => Object.hasOwn(definitions, word)));
}

/**
Returns the whole command line: the names, options and help of every command. The code of a command is loaded when it runs.

@param env - decides whether help is printed in colour; without it, help is plain.
@param onlyCommand - the one command to define: the others take as long as all the rest of a short command.
*/
export function createCommandLine(run: Run, streams: StandardStreams = process, env?: Environment, onlyCommand?: string): Command {
	const program = new Program('switchboard');
	program
		.description('Manage the agents and abilities of a voice service. Without a command, in a terminal, it opens the terminal UI.')
		.version(version, '-v, --version', 'print the version (also: -V)')
		.helpOption('-h, --help', 'print this help')
		.configureHelp(helpConfiguration)
		.helpCommand(false)
		.configureOutput(helpOutput(program, streams, env))
		.exitOverride()
		.examples(
			['switchboard', 'open the terminal UI'],
			['switchboard login', 'sign in to a service'],
			['switchboard installed --off', 'list installed abilities that are off'],
			['switchboard enable pantry', 'switch an ability on'],
			['switchboard plan home.yaml', 'show what a state file would change'],
			['switchboard history', 'list who changed what'],
			['switchboard undo', 'undo what was changed last from here'],
			['switchboard serve --sample', 'run the bundled service with sample data'],
		)
		.addHelpText('after', commandGroups)
		.addHelpText('after', globalOptions)
		.addHelpText('after', topicNames(topics))
		.addHelpText('afterAll', inheritedOptions);
	addGlobalOptions(program);
	for (const [title, definitions] of groups) {
		for (const [name, define] of Object.entries(definitions)) {
			if (onlyCommand !== undefined && name !== onlyCommand) {
				continue;
			}

			const command = define(program, run).helpGroup(title);
			addAliases(command);
			refuseMistakenOptions(command);
		}
	}

	return program;
}

/** Returns where Commander prints the help. `reportError` prints the errors. */
function helpOutput(program: Command, {stdout, stderr}: StandardStreams, env: Environment | undefined): OutputConfiguration {
	const options = () => toGlobalOptions(program.opts<ParsedGlobalOptions>(), env ?? {});
	const write =
		(output: OutputStream) =>
		(text: string): void => {
			output.write(options().isAscii ? toAsciiText(text) : text);
		};

	return {
		writeOut: write(stdout),
		writeErr: write(stderr),
		outputError() {
			/* Not available here. */
		},
		getOutHelpWidth: () => outputWidth(stdout),
		getErrHelpWidth: () => outputWidth(stderr),
		getOutHasColors: () => env !== undefined && isPainted(options(), stdout),
		getErrHasColors: () => env !== undefined && isPainted(options(), stderr),
	};
}

function addGlobalOptions(program: Command): void {
	for (const {name, value, description} of globalOptionTable) {
		const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description);
		program.addOption(name === 'timeout' ? option.argParser(readTimeout) : option);
		// Given twice the last one counts, as it may override an alias's option.
		refuseEmptyValue(option);
	}
}

function readTimeout(text: string): number {
	const milliseconds = parseTimeout(text);
	if (milliseconds === undefined) {
		throw wrongValue('--timeout', text, timeoutValue);
	}

	return milliseconds;
}
