import process from 'node:process';
import {Option} from 'commander';
import {splitCommand} from '../platform/shell-word.ts';
import {runUntilInterrupted, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import type {Command} from './watch/watch-changes.ts';
import {withService} from './with-service.ts';
import {parseChoice, wrongValue} from './options.ts';
import {readWords, requireNamesOption, wordsHelp, type RequireNamesOption} from './input/read-text.ts';

/** A longer interval would be a mistake, and longer than a timer can wait. */
const longestIntervalSeconds = 86_400;

function parseInterval(text: string): number {
	const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
	if (seconds < 1 || seconds > longestIntervalSeconds) {
		throw wrongValue('--interval', text, `a number of seconds from 1 to ${longestIntervalSeconds}`);
	}

	return seconds;
}

function parseProgram(text: string): Command {
	const command = splitCommand(text, process.platform);
	if (command === undefined) {
		throw wrongValue('--exec', text, 'a program and its arguments, quoted as in a shell');
	}

	return command;
}

type WatchCommandOptions = {
	/** Seconds. */
	readonly interval: number;
	readonly exec?: Command;
};

const watch = async (context: Context, {interval, exec}: WatchCommandOptions): Promise<void> =>
	runUntilInterrupted(context, async signal => {
		const {createProgramQueue, watchChanges} = await import('./watch/watch-changes.ts');
		const queue = exec === undefined ? undefined : createProgramQueue(context, exec);
		const close = (): void => {
			void queue?.close();
		};

		signal.addEventListener('abort', close, {once: true});
		try {
			await withService(context, async service => watchChanges(context, service, {intervalMilliseconds: interval * 1000, queue, signal}));
		} finally {
			await queue?.close();
		}
	});

export const defineWatch: DefineCommand = (parent, run) =>
	parent
		.command('watch')
		.description('print each change of agents, abilities and installed abilities as it happens, until Ctrl+C')
		.option('--interval <seconds>', 'how often to look where the service has no stream of changes; 1 or more', parseInterval, 15)
		.option('--exec <program>', 'run this program with each change; arguments are quoted as in a shell, which is not used', parseProgram)
		.notes(`
If the service has a stream of changes, each change is printed at once (see:
switchboard help operating). Otherwise, and while the stream is cut, the lists
are polled every --interval seconds. If the service keeps a history, changes are
taken from it, with their authors.

The program runs once for each change, one at a time. The change is in its
environment (see: switchboard help environment) and, as a line of JSON, on its
standard input. Its output goes to standard error. It gets no API key.`)
		.examples(
			['switchboard watch', 'a line for each change'],
			['switchboard watch --interval 60 --json >> changes.jsonl', 'a line of JSON for each'],
			['switchboard watch --exec ./on-change', 'run a program with each'],
		)
		.action(run(watch, {isEndedBySignal: true}));

const stateWords = ['on', 'off'];

const parseState = (text: string): boolean => parseChoice('--for', stateWords, word => word.toLowerCase())(text) === 'on';

async function wait(
	context: Context,
	givenWords: readonly string[],
	{for: isWanted, ...options}: RequireNamesOption & {readonly for: boolean},
): Promise<void> {
	const words = await readWords(context, givenWords, options);
	// Waiting does not count as work on a file.
	context.session?.file.leave();
	const {reportWaiting, waitForState} = await import('./watch/wait-for-state.ts');
	if (words.length === 0) {
		await reportWaiting(context, []);
		return;
	}

	await withService(context, async service => context.finishBeforeExit(waitForState(context, service, words, isWanted)));
}

export const defineWait: DefineCommand = (parent, run) =>
	parent
		.command('wait')
		.description('wait until installed abilities are on or off, for as long as --timeout allows')
		.argument('<installed...>', wordsHelp)
		.addOption(new Option('--for <state>', 'the state to wait for').choices(stateWords).argParser(parseState).makeOptionMandatory())
		.option(...requireNamesOption)
		.notes(`
If the service has a stream of changes, it is followed (see: switchboard help
operating). Otherwise, and while the stream is cut, the list is polled every two
seconds. If the service keeps a history, it also ends if the state was reached
in between; the present state is printed, and standard error says so.`)
		.examples(
			['switchboard wait pantry --for on', 'however long it takes'],
			['switchboard wait pantry lamps --for off --timeout 60', 'until both are off, for 60 seconds at most'],
			['switchboard wait - --for on < names.txt', 'the names on standard input, one per line'],
		)
		.exitCodes(['0', 'all have that state'], ['4', 'a name was not found'], ['5', 'the time of --timeout is up'])
		.action(run(wait));
