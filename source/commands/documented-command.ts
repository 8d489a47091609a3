import {Command} from 'commander';
import {rootOf} from './command-tree.ts';
import {heading, helpWidth, section} from './help/layout.ts';
import {layItemBelow} from './help/topic.ts';

export type Example = readonly [command: string, meaning: string];

/** A command whose help may end with examples and exit codes. */
export class DocumentedCommand extends Command {
	override createCommand(name?: string): DocumentedCommand {
		return new DocumentedCommand(name);
	}

	examples(...all: readonly Example[]): this {
		return this.addHelpText('after', ({command}) => examplesText(command, all));
	}

	/** Adds the exit codes that are useful for scripts. */
	exitCodes(...codes: readonly Example[]): this {
		return this.addHelpText('after', ({command}) => section(command, 'Exit codes (all: switchboard help exit-codes):', codes));
	}
}

/** The exit codes of commands that take several names. */
export const severalExitCodes: readonly Example[] = [
	['4', 'a name was not found; nothing was changed'],
	['6', 'some of several failed; the others are done'],
];

type AdaptExample = (example: Example, program: Command) => Example | undefined;

const adaptations = new WeakMap<Command, AdaptExample>();

/** Adapts the examples in the help of all commands of a program; an example with the result `undefined` is left out. */
export function adaptExamples(program: Command, adapt: AdaptExample): void {
	adaptations.set(program, adapt);
}

/** Separates a command from its meaning. */
const gap = ' '.repeat(3);

function examplesText(ofCommand: Command, all: readonly Example[]): string {
	const program = rootOf(ofCommand);
	const adapt = adaptations.get(program);
	const lines = adapt === undefined ? all : all.map(line => adapt(line, program)).filter(line => line !== undefined);
	if (lines.length === 0) {
		return '';
	}

	const columns = helpWidth(ofCommand);
	// A meaning without room beside its command goes below it.
	const room = ([command, meaning]: Example, width = command.length): number => columns - width - meaning.length - gap.length - 2;
	const width = Math.max(0, ...lines.filter(line => room(line) >= 0).map(([command]) => command.length));
	return [
		'',
		heading('Examples:'),
		...lines.map(line =>
			room(line, Math.max(width, line[0].length)) < 0
				? layItemBelow(ofCommand.createHelp(), line, columns)
				: `  ${line[0].padEnd(width)}${gap}${line[1]}`,
		),
	].join('\n');
}
