import {path, process} from '../node.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../pseudo-terminal.ts';

const fixtures = path.resolve(import.meta.dirname, '../../terminal/fixtures');

/** A shell command that runs a program of `test/terminal/fixtures`. */
export function fixtureCommand(name: string, ...words: readonly string[]): string {
	return [`'${process.execPath}' --import tsx '${path.join(fixtures, name)}'`, ...words].join(' ');
}

/**
Runs a program of `test/terminal/fixtures` under a shell that prints, after it has exited, the exit code and the modes of the
terminal.
*/
export function openFixture(name: string, env: Readonly<Record<string, string>>, ...words: readonly string[]): PseudoTerminal {
	return openPseudoTerminal({
		command: '/bin/sh',
		args: ['-c', `${fixtureCommand(name, ...words)}; echo "exit code $?"; stty -a`],
		env: {...env, NODE_ENV: 'production'},
	});
}
