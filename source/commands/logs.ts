import {Option} from 'commander';
import type {ConversationEvent} from '../client/conversation.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError, throwIfAny} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {stringifyJson} from '../interface/json.ts';
import {chooseAgent} from './find-records.ts';
import {runUntilInterrupted, type DefineCommand} from './command.ts';
import {isForPerson, paint, type Context, type PrintTone} from './context.ts';
import {parseChoice} from './options.ts';
import {withService} from './with-service.ts';

/** The usual words for the severity of a log line. */
const severities: Readonly<Record<string, number>> = {
	trace: 0,
	debug: 1,
	info: 2,
	notice: 2,
	warn: 3,
	warning: 3,
	error: 4,
	critical: 5,
	fatal: 5,
};

type Line = {readonly kind: ConversationEvent['kind'] | 'call'; readonly level?: string; readonly role?: string; readonly text: string};

/** Returns the events of a conversation as `--json` prints them, without the parts of turns. */
export function eventLines(events: readonly ConversationEvent[]): readonly Line[] {
	return events.map(event => toLine(event)).filter(line => line !== undefined);
}

/** Returns an event as a line; `undefined` for a part of a turn, as the whole turn follows. */
function toLine(event: ConversationEvent): Line | undefined {
	const {kind, text} = event;
	if (kind === 'turn') {
		return event.isFinal ? {kind, role: event.role, text} : undefined;
	}

	return kind === 'log' ? {kind, level: event.level, text} : {kind, text};
}

const maximumTextLength = 4000;

/** Returns a line for a person, without its time. */
export function lineText(line: Line): string {
	return `${labelOf(line).padEnd(9)}  ${cleanText(line.text, maximumTextLength)}`;
}

/** The label of a line for a person. */
const labelOf = ({kind, level, role}: Line): string => cleanText(level ?? role ?? kind, 20);

/** For a reader that is too slow; further lines are dropped. */
const mostUnreadBytes = 1024 * 1024;

/** Notes once that a connection is lost, and once that it is back. */
export function createLossNotes(note: (text: string) => void) {
	let isLost = false;
	return {
		lost({message}: SwitchboardError): void {
			if (!isLost) {
				note(`${message} Trying again until it works.`);
			}

			isLost = true;
		},
		open(): void {
			if (isLost) {
				note('Connected again.');
			}

			isLost = false;
		},
	};
}

const levels = ['debug', 'info', 'warning', 'error'] as const;

/** Earlier entries that are printed at the start. */
const tail = 100;

export const defineLogs: DefineCommand = (parent, run) =>
	parent
		.command('logs')
		.description("print what an agent's abilities log and what is said, as it happens, until Ctrl+C")
		.argument('[agent]', 'its id, or its name in any case; by default the only one, or the default agent of the account')
		.addOption(
			new Option('--level <level>', 'leave out log lines that are less severe; those of an unknown level are printed')
				.choices(levels)
				.argParser(parseChoice('--level', levels)),
		)
		.option('--calls', 'follow the logs of calls, of all agents, from the last 100 entries on')
		.notes(`
It opens a conversation and says nothing. If the conversation is cut off, it is
opened again after growing pauses. Entries logged meanwhile are not printed.`)
		.examples(
			['switchboard logs Hearth', 'a line for each event'],
			['switchboard logs --level warning --json >> logs.jsonl', 'a line of JSON for each; no log line below a warning'],
			['switchboard logs --calls', 'the logs of calls'],
		)
		.action(run(follow, {isEndedBySignal: true}));

type LogsOptions = {
	/** The least severity. */
	readonly level?: string;
	readonly calls?: boolean;
};

async function follow(context: Context, word: string | undefined, {level, calls: isOfCalls = false}: LogsOptions): Promise<void> {
	if (isOfCalls && (word ?? level) !== undefined) {
		throw new SwitchboardError('usage', '--calls reads the logs of all agents, which have no levels.', {
			nextStep: 'Leave out the agent and --level.',
		});
	}

	await runUntilInterrupted(context, async signal =>
		withService(context, async service => {
			const print = createPrinter(context);
			const {lost: onLost, open: noteOpen} = createLossNotes(context.note);
			const {id} = isOfCalls ? {id: 0} : await chooseAgent(context, service, word, 'Reading the logs of');
			const {keepConversation} = await import('../client/conversation.ts');
			const least = severityOf(level) ?? 0;
			let isOpened = false;
			const onEvent = (event: ConversationEvent): void => {
				const line = toLine(event);
				if (line !== undefined && (event.kind !== 'log' || (severityOf(event.level) ?? least) >= least)) {
					print(line);
				}
			};

			const open = async (ending: AbortSignal) =>
				isOfCalls
					? // All earlier entries were read at the start.
						service.client.followCallLogs(
							isOpened ? 0 : tail,
							({role, text}) => print({kind: 'call', ...(role !== undefined && {role}), text}),
							ending,
						)
					: service.client.openConversation(id, onEvent, ending);
			const error = await keepConversation(
				open,
				{
					onOpen() {
						if (!isOpened) {
							context.note('Listening. Press Ctrl+C to stop.');
						}

						isOpened = true;
						noteOpen();
					},
					onLost,
				},
				signal,
			);
			throwIfAny(error);
		}),
	);
}

/** A person gets the time of day in their time zone; a script the whole time. */
function createPrinter(context: Context): (line: Line) => void {
	let leftOutCount = 0;
	return line => {
		if (context.streams.stdout.writableLength > mostUnreadBytes) {
			leftOutCount++;
			return;
		}

		if (leftOutCount > 0) {
			context.note(`Left out ${counted(leftOutCount, 'line')} that came faster than they were read.`);
			leftOutCount = 0;
		}

		const now = new Date();
		if (context.options.isJson) {
			context.printData(`${stringifyJson({at: now.toISOString(), ...line}, 0)}\n`);
		} else if (isForPerson(context)) {
			context.print(`${now.toTimeString().slice(0, 8)}  ${paint(context, toneOf(line), lineText(line))}`);
		} else {
			const {kind, level, role, text} = line;
			context.print([now.toISOString(), kind, cleanText(level ?? role ?? '', 20), cleanText(text, maximumTextLength)].join('\t'));
		}
	};
}

function toneOf({kind, level}: Line): PrintTone | undefined {
	const severity = kind === 'fault' ? 4 : (severityOf(level) ?? 0);
	return severity > 3 ? 'error' : severity > 2 ? 'warning' : kind === 'turn' ? undefined : 'quiet';
}

const severityOf = (level: string | undefined): number | undefined => severities[level?.toLowerCase() ?? ''];
