import {once} from 'node:events';
import type {Command} from 'commander';
import {createContext, type Context} from './context.ts';
import {type ParsedGlobalOptions, toGlobalOptions} from './global-options.ts';

type RunOptions = {
	/** True for a command that ends in its own way on a signal, such as a service that finishes its answers. */
	readonly isEndedBySignal?: boolean;
};

/** What a command does: it gets the context, then its arguments and its options. */
export type Action<Given extends readonly unknown[]> = (context: Context, ...given: Given) => Promise<void>;

/** Makes what Commander calls of what a command does. */
export type Run = <Given extends readonly unknown[]>(action: Action<Given>, options?: RunOptions) => (...given: readonly unknown[]) => Promise<void>;

/** Adds one command to its parent. Loads nothing heavy: what it needs is imported when it runs. */
export type DefineCommand = (parent: Command, run: Run) => Command;

export const untilAborted = async (signal: AbortSignal): Promise<void> => {
	if (!signal.aborted) {
		await once(signal, 'abort');
	}
};

/**
Runs commands until they end or the signal comes, whichever is first. A command that is cut short says what it has to say
before (`Context.finishBeforeExit`).
*/
export const createRun = (signal: AbortSignal): Run => <Given extends readonly unknown[]>(action: Action<Given>, {isEndedBySignal = false}: RunOptions = {}) => async (...given) => {
	// Commander passes the command last.
	const command = given.at(-1) as Command;
	const context = createContext(toGlobalOptions(command.optsWithGlobals<ParsedGlobalOptions>()), signal);
	const running = action(context, ...given.slice(0, -1) as unknown as Given);
	if (isEndedBySignal) {
		await running;
		return;
	}

	const endBySignal = async (): Promise<void> => {
		await untilAborted(signal);
		await context.whenFinished();
	};

	try {
		await Promise.race([running, endBySignal()]);
	} finally {
		// However the command ended then, the signal ended it.
		signal.throwIfAborted();
	}
};

/** Longer commands have their meaning on a line of its own. */
const maximumExampleWidth = 46;

export type Example = readonly [command: string, meaning: string];

/** The examples at the end of a command's help. */
export const examples = (...lines: readonly Example[]): string => {
	const lengths = lines.map(([command]) => command.length).filter(length => length <= maximumExampleWidth);
	const width = Math.max(0, ...lengths);
	return ['', 'Examples:', ...lines.map(([command, meaning]) => command.length > maximumExampleWidth
		? `  ${command}\n    ${meaning}`
		: `  ${command.padEnd(width)}   ${meaning}`)].join('\n');
};
