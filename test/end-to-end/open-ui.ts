import type {IsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal, type PseudoTerminalOptions} from '../helpers/pseudo-terminal.ts';
import {builtProgram, type Program} from '../helpers/run-command.ts';

type UiOptions = Pick<PseudoTerminalOptions, 'columns' | 'rows'> & {
	readonly program?: Program;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
};

/** Opens the program's terminal UI in a real pseudo-terminal. */
export function openUi(home: IsolatedHome, {program = builtProgram, args = [], env = {}, ...size}: UiOptions = {}): PseudoTerminal {
	return openPseudoTerminal({command: program.command, args: [...program.args, ...args], env: {...home.env, ...env}, ...size});
}

/** The row of a record on the screen; `undefined` if it is not there. */
export function rowOf(lines: readonly string[], name: string): string | undefined {
	return lines.find(line => line.includes(` ${name} `));
}

/** A condition: the record's row shows this state, such as `on`, `off` or `off~`, once nothing is pending. */
export function says(name: string, state: string) {
	return (lines: readonly string[]): boolean => new RegExp(String.raw`^.?[> ] ${state}\s+${name}\b`, 'u').test(rowOf(lines, name) ?? '');
}
