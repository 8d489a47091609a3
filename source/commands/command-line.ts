import {Command, Option} from 'commander';
import {defineAbilities} from './abilities.ts';
import {defineAgents} from './agents.ts';
import {type DefineCommand, examples, type Run} from './command.ts';
import {defineCompletion} from './completion.ts';
import {globalOptionTable} from './global-option-table.ts';
import {parseTimeout, timeoutValue} from './global-options.ts';
import {defineHelp} from './help.ts';
import {defineInstalled} from './installed.ts';
import {defineKeys} from './keys.ts';
import {defineLogin} from './login.ts';
import {defineLogout} from './logout.ts';
import {defineProfiles} from './profiles.ts';
import {defineServe} from './serve.ts';
import {defineDisable, defineEnable, defineToggle} from './switch.ts';
import {version} from './version.ts';
import {defineVersion} from './version-command.ts';
import {wrongValue} from './wrong-value.ts';

const groups: ReadonlyArray<readonly [heading: string, commands: readonly DefineCommand[]]> = [
	['See and change:', [defineAgents, defineAbilities, defineInstalled, defineEnable, defineDisable, defineToggle]],
	['Sign in:', [defineLogin, defineLogout, defineProfiles]],
	['The bundled service:', [defineServe, defineKeys]],
	['The shell:', [defineCompletion, defineHelp, defineVersion]],
];

const takeTimeout = (text: string): number => {
	const milliseconds = parseTimeout(text);
	if (milliseconds === undefined) {
		throw wrongValue('--timeout', text, timeoutValue);
	}

	return milliseconds;
};

const addGlobalOptions = (program: Command): void => {
	for (const {name, value, description} of globalOptionTable) {
		const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description);
		program.addOption(name === 'timeout' ? option.argParser(takeTimeout) : option);
	}
};

/** The whole command line: names, flags and help of every command, and nothing of what they do. */
export const createCommandLine = (run: Run): Command => {
	const program = new Command('switchboard')
		.description('See agents and abilities of a voice service, and switch installed abilities on and off.\nWithout a command, in a terminal: the terminal UI.')
		.version(version, '-v, --version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		.configureHelp({showGlobalOptions: true})
		.helpCommand(false)
		// Errors are told in one place and one way, as `CONTRACT.md` has it.
		.configureOutput({outputError() {/* See report-error.ts. */}})
		.exitOverride()
		.addHelpText('after', examples(
			['switchboard', 'open the terminal UI'],
			['switchboard login', 'sign in to a service'],
			['switchboard installed', 'list installed abilities'],
			['switchboard disable pantry', 'switch one off'],
			['switchboard serve --sample', 'run the bundled service with a sample home'],
		));
	addGlobalOptions(program);
	for (const [heading, definitions] of groups) {
		for (const define of definitions) {
			define(program, run).helpGroup(heading);
		}
	}

	return program;
};
