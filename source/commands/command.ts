import {once} from 'node:events';
import {Command} from 'commander';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {describeForeignHome} from '../platform/file-owner.ts';
import {createContext, noteDryRun, refuseReadOnly, type Context, type SessionAccess} from './context.ts';
import {toGlobalOptions, type GlobalOptions, type ParsedGlobalOptions} from './global-options.ts';
import {isChange, commandPath, rootOf} from './command-tree.ts';
import {heading, helpWidth, section, layItemBelow} from './help/layout.ts';

type RunOptions = {
	/**
	True for a command that runs until a signal comes and handles it itself, such as a service that finishes its answers: it has no time
	limit.
	*/
	readonly isEndedBySignal?: boolean;
	/** True for a change only to this machine's files, or for a command that refuses `--read-only` itself. */
	readonly isLocal?: boolean;
};

/** The work of a command: takes the context, its arguments and its options. */
export type Action<Given extends readonly unknown[]> = (context: Context, ...given: Given) => Promise<void>;

/** Turns an action into the callback that Commander expects. */
export type Run = <Given extends readonly unknown[]>(
	action: Action<Given>,
	options?: RunOptions,
) => (...given: readonly unknown[]) => Promise<void>;

/** Returns an action whose code is loaded when it runs. */
export function later<Given extends readonly unknown[]>(load: () => Promise<Action<Given>>): Action<Given> {
	return async (context, ...given) => (await load())(context, ...given);
}

/** The surroundings of a command: its streams, environment and signal. */
export type Surroundings = Pick<Context, 'streams' | 'env' | 'signal' | 'loadPrograms' | 'handleHangup'> & {
	/** For a person over SSH. */
	readonly session?: SessionAccess;
	/** Called after a signal, with its exit code: the command ends even if nobody reads its output. */
	readonly endUnread: (exitCode: number) => void;
};

/** Adds one command to its parent. Loads nothing heavy: the action imports its code when it runs. */
export type DefineCommand = (parent: DocumentedCommand, run: Run) => DocumentedCommand;

/** Over SSH the profile is fixed, and read-only cannot be lifted. */
const withSession = (options: GlobalOptions, session: SessionAccess | undefined): GlobalOptions =>
	session === undefined ? options : {...options, profile: session.profileName, isReadOnly: options.isReadOnly || session.isReadOnly};

/** Ends a command that has served until it was stopped. SIGINT and SIGTERM are the usual ways to stop a service; a hangup is an error. */
export function endServing({reason}: AbortSignal): void {
	if (reason instanceof SwitchboardError && reason.kind === 'hangup') {
		throw reason;
	}
}

/**
Does work that continues until Ctrl+C or until the reader closes the output's pipe. These are its usual ends; any other signal is an error.

@param work - must stop when its signal comes; an error that it throws then is dropped.
*/
export async function runUntilInterrupted(
	{signal: given, streams: {stdout}}: Context,
	work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
	const pipe = new AbortController();
	stdout.once('error', () => pipe.abort());
	const signal = AbortSignal.any([given, pipe.signal]);
	try {
		await work(signal);
	} catch (error) {
		if (!signal.aborted) {
			throw error;
		}
	}

	const reason = given.aborted ? toSwitchboardError(given.reason) : undefined;
	if (reason !== undefined && reason.kind !== 'interrupted') {
		throw reason;
	}
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) {
		await once(signal, 'abort');
	}
}

const writingNothing: ReadonlySet<string> = new Set(['completion', 'help', 'version']);

/**
Runs commands until they end or the signal comes, whichever comes first. A command that is cut short first finishes the work that it must
report on (`Context.finishBeforeExit`).

@param exitWith - takes the exit code of a command that succeeds with a code other than 0.
*/
export function createRun({endUnread, ...surroundings}: Surroundings, exitWith?: Context['exitWith']): Run {
	return <Given extends readonly unknown[]>(action: Action<Given>, {isEndedBySignal = false, isLocal = false}: RunOptions = {}) =>
		async (...given) => {
			// Commander passes the command last.
			const command = given.at(-1) as Command;
			const {signal, env, session} = surroundings;
			// A command may have an option of the same name, with another meaning.
			const options = withSession(toGlobalOptions(rootOf(command).opts<ParsedGlobalOptions>(), env), session);
			const {dryRun: isDryRun = false, yes: isSure = false} = command.opts<{readonly dryRun?: boolean; readonly yes?: boolean}>();
			const isChanging = isChange(command) && !isLocal;
			const commandName = commandPath(command).join(' ');
			const parts = {commandName, isChanging, isDryRun, isSure, isUnlimited: isEndedBySignal, exitWith};
			const context = createContext(options, {...surroundings, ...parts});
			signal.addEventListener('abort', () => {
				// The report is written as slowly as it is read; another signal ends that.
				if (!context.isReporting()) {
					endUnread(toSwitchboardError(signal.reason).exitCode);
				}
			});
			const run = async (): Promise<void> => {
				const warning = session === undefined && !writingNothing.has(context.commandName) ? describeForeignHome() : undefined;
				if (warning !== undefined) {
					context.note(warning, 'warning');
				}

				if (isChanging) {
					refuseReadOnly(context);
				}

				await action(context, ...(given.slice(0, -1) as unknown as Given));
				noteDryRun(context);
			};

			const running = run();
			if (isEndedBySignal) {
				await running;
				return;
			}

			try {
				await Promise.race([running, untilAborted(signal).then(async () => context.whenFinished())]);
			} finally {
				context.close();
				// If there was a signal, it ended the command, even if something else happened.
				signal.throwIfAborted();
			}
		};
}

export type Example = readonly [command: string, meaning: string];

/** A command whose help may end with examples and exit codes. */
export class DocumentedCommand extends Command {
	override createCommand(name?: string): DocumentedCommand {
		return new DocumentedCommand(name);
	}

	/** Adds a text that begins with a line break. */
	notes(text: string): this {
		return this.addHelpText('after', text);
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
