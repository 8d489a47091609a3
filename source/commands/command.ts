import type {Command} from 'commander';
import {createContext, type Context} from './context.ts';
import {type ParsedGlobalOptions, toGlobalOptions} from './global-options.ts';

export type RunOptions = {
	/** True for a command that ends in its own way when it is told to, such as a service that finishes its answers. */
	readonly isEndedBySignal?: boolean;
};

/** Runs what a command does, with the options it was given; ends it when the signal does. */
export type Run = (command: Command, action: (context: Context) => Promise<void>, options?: RunOptions) => Promise<void>;

/** Adds one command to its parent. Loads nothing heavy: what it needs is imported when it runs. */
export type DefineCommand = (parent: Command, run: Run) => Command;

const whenAborted = async (signal: AbortSignal): Promise<void> => new Promise(resolve => {
	const stop = (): void => {
		resolve();
	};

	if (signal.aborted) {
		stop();
	} else {
		signal.addEventListener('abort', stop, {once: true});
	}
});

/**
Runs a command until it ends or the signal comes, whichever is first; `isEndedBySignal` for one that ends well by it. What
a command that was cut short has to tell it tells before (`Context.letEnd`).
*/
export const createRun = (signal: AbortSignal): Run => async (command, action, {isEndedBySignal = false} = {}) => {
	const context = createContext(toGlobalOptions(command.optsWithGlobals<ParsedGlobalOptions>()), signal);
	const running = action(context);
	if (isEndedBySignal) {
		await running;
		return;
	}

	const endBySignal = async (): Promise<void> => {
		await whenAborted(signal);
		await context.whenFinished();
	};

	try {
		await Promise.race([running, endBySignal()]);
	} finally {
		// However the command ended then, it was the signal that ended it.
		signal.throwIfAborted();
	}
};

/** Longer commands have what they mean on a line of their own. */
const maximumExampleWidth = 46;

/** Examples at the end of a command's help. */
export const examples = (...lines: ReadonlyArray<readonly [command: string, meaning: string]>): string => {
	const lengths = lines.map(([command]) => command.length).filter(length => length <= maximumExampleWidth);
	const width = Math.max(0, ...lengths);
	return ['', 'Examples:', ...lines.map(([command, meaning]) => command.length > maximumExampleWidth
		? `  ${command}\n    ${meaning}`
		: `  ${command.padEnd(width)}   ${meaning}`)].join('\n');
};
