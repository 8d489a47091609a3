import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {TimeZone} from '../../words/time-zone.ts';
import {cleanLines, cleanText} from '../../interface/clean-text.ts';
import {stringifyJson, type JsonValue} from '../../interface/json.ts';
import {follow} from '../../changes/follow.ts';
import type {SeenChange} from '../../changes/followed-changes.ts';
import {readWhole} from '../../state/whole-entry.ts';
import {changeText} from '../../changes/change.ts';
import {counted} from '../../interface/format-count.ts';
import {environmentWithoutKeys} from '../../platform/secret-variables.ts';
import {resources} from '../../interface/records.ts';
import {isForPerson, type Context} from '../context.ts';
import type {Service} from '../with-service.ts';

/** Systems limit the length of each variable, and of all together. */
const maximumVariableLength = 4000;

export type Command = {readonly program: string; readonly args: readonly string[]};

/** With more waiting changes, the lists are not read. */
const maximumWaiting = 100;

/** For a program to end after the signal. */
const graceMilliseconds = 5000;

const startProblems: Readonly<Record<string, string>> = {ENOENT: 'it was not found', EACCES: 'permission denied'};

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
Runs a program once for each change, one at a time and without a shell. The change is in its environment, which has no key, and is a line of
JSON on its standard input; its output goes to standard error. A failure is noted and the next change follows.
*/
export function createProgramQueue({note, env}: Context, {program, args}: Command) {
	const waiting: SeenChange[] = [];
	const name = cleanText(program, 80);
	let child: ChildProcess | undefined;
	let running: Promise<void> | undefined;
	let isClosed = false;
	let whenFewer = Promise.withResolvers<void>();

	const runOnce = async (change: SeenChange): Promise<void> => {
		try {
			child = spawn(program, args, {stdio: ['pipe', 2, 2], env: {...environmentWithoutKeys(env), ...changeVariables(change)}});
			// The program need not read its input.
			child.stdin!.on('error', () => undefined);
			child.stdin!.end(`${stringifyJson(toPublicChange(change), 0)}\n`);
			const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
			if (code !== 0 && !isClosed) {
				note(`${name} ended with ${signal ?? `exit code ${code}`} for: ${seenText(change)}`);
			}
		} catch (error) {
			const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
			note(`${name} cannot be run: ${startProblems[code] ?? code}. The change was: ${seenText(change)}`);
		} finally {
			child = undefined;
		}
	};

	/** Closing the queue empties it, which ends this loop. */
	const runAll = async (): Promise<void> => {
		for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
			await runOnce(change);
			if (waiting.length <= maximumWaiting) {
				whenFewer.resolve();
			}
		}

		running = undefined;
	};

	return {
		/** Runs the program with a change, after it has ended for earlier changes. */
		add(change: SeenChange): void {
			if (isClosed) {
				return;
			}

			waiting.push(change);
			running ??= runAll();
		},
		/** Resolves once few enough changes are waiting, or when the queue is closed. */
		async whenReady(): Promise<void> {
			if (!(waiting.length > maximumWaiting) || isClosed) {
				return;
			}

			note(`${name} has not kept up: ${counted(waiting.length, 'change')} wait for it. Watching goes on once it has caught up.`);
			whenFewer = Promise.withResolvers();
			await whenFewer.promise;
		},
		/** Ends the program and drops the waiting changes. */
		async close(): Promise<void> {
			if (!isClosed) {
				isClosed = true;
				whenFewer.resolve();
				const dropped = waiting.splice(0);
				if (dropped.length > 0) {
					note(`${name} was not run for ${counted(dropped.length, 'more change')}.`);
				}

				if (child !== undefined) {
					endProgram(child);
				}
			}

			await running;
		},
	};
}

/** Returns a change as variables for a program, cleaned and cut to a length that every system accepts. */
const changeVariables = ({at, kind, name, field, from, to, by = ''}: SeenChange): Readonly<Record<string, string>> => ({
	SWITCHBOARD_CHANGE_AT: at,
	SWITCHBOARD_CHANGE_KIND: kind,
	SWITCHBOARD_CHANGE_NAME: cleanText(name, maximumVariableLength),
	SWITCHBOARD_CHANGE_FIELD: field,
	SWITCHBOARD_CHANGE_FROM: variableText(field, from),
	SWITCHBOARD_CHANGE_TO: variableText(field, to),
	SWITCHBOARD_CHANGE_BY: by,
});

function variableText(field: string, value: JsonValue): string {
	if (value === null) {
		return '';
	}

	if (typeof value === 'boolean') {
		return field === 'enabled' ? (value ? 'on' : 'off') : String(value);
	}

	const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
	return field === 'prompt' ? cleanLines(text, maximumVariableLength) : cleanText(text, maximumVariableLength);
}

/** Has the fields in the order of `docs/compatibility.md`, JSON; `by` only if it is known. */
const toPublicChange = ({at, kind, name, field, from, to, by}: SeenChange) => ({
	at,
	kind,
	name,
	field,
	from,
	to,
	...(by !== undefined && {by}),
});

/** Returns a change in one line, with its author. */
const seenText = (change: SeenChange, timeZone?: TimeZone): string =>
	`${changeText(change, timeZone)}${change.by === undefined ? '' : ` (by ${change.by})`}`;

/** Asks the program to end, and ends it if it does not, or if another signal arrives, which ends this process too. */
function endProgram(child: ChildProcess): void {
	child.kill('SIGTERM');
	const endBoth = (signal: NodeJS.Signals): void => {
		child.kill('SIGKILL');
		forget();
		process.kill(process.pid, signal);
	};

	const forget = (): void => {
		for (const signal of signals) {
			process.off(signal, endBoth);
		}
	};

	for (const signal of signals) {
		process.on(signal, endBoth);
	}

	const timer = setTimeout(() => {
		child.kill('SIGKILL');
	}, graceMilliseconds);
	child.once('exit', () => {
		forget();
		clearTimeout(timer);
	});
}

const changesInATurn = 1000;

type ProgramQueue = ReturnType<typeof createProgramQueue>;

/**
Prints each change of the three lists of a service until the signal comes. Outages are survived.

@param intervalMilliseconds - the pause between reads of the lists while no stream is open.
@param queue - gets each change after it was printed.
*/
export async function watchChanges(
	context: Context,
	service: Service,
	{
		intervalMilliseconds,
		queue,
		signal,
	}: {readonly intervalMilliseconds: number; readonly queue: ProgramQueue | undefined; readonly signal: AbortSignal},
): Promise<void> {
	const rounds = follow(service.client, {
		resources,
		entries: 'all',
		intervalMilliseconds,
		signal,
		note: context.note,
		onSeen: service.noteSeen,
		whenReady: async () => queue?.whenReady(),
	});
	try {
		for await (const {entries} of rounds) {
			await handleChanges(context, service, entries, queue, signal);
			// Nothing is read until the next round.
			context.showProgress('');
		}
	} finally {
		context.showProgress('');
	}
}

async function handleChanges(
	context: Context,
	service: Service,
	changes: readonly SeenChange[],
	queue: ProgramQueue | undefined,
	signal: AbortSignal,
): Promise<void> {
	for (let start = 0; start < changes.length; start += changesInATurn) {
		for (const entry of changes.slice(start, start + changesInATurn)) {
			const change = await withTexts(service, entry, signal);
			printChange(context, change);
			queue?.add(change);
		}

		await nextTurn();
		await whenRead(context, signal);
	}
}

/** Reads an entry of a history again for its long texts. Without them it is still printed. */
async function withTexts({client}: Service, change: SeenChange, signal: AbortSignal): Promise<SeenChange> {
	const {id} = change;
	return id === undefined ? change : readWhole({read: client.readHistory}, {...change, id}, signal).catch(() => change);
}

/** A person gets the time of day in their time zone; a script the whole time. */
function printChange(context: Context, change: SeenChange): void {
	const time = isForPerson(context) ? `${new Date(change.at).toTimeString().slice(0, 8)}  ` : `${change.at}\t`;
	if (context.options.isJson) {
		context.printData(`${stringifyJson(toPublicChange(change), 0)}\n`);
	} else {
		context.print(`${time}${seenText(change, context.timeZone)}`);
	}
}

/** Waits for a slow reader, because unread output stays in memory. */
async function whenRead({streams: {stdout}}: Context, signal: AbortSignal): Promise<void> {
	if (stdout.writableNeedDrain) {
		// The signal, or a closed pipe, ends the watch.
		await once(stdout, 'drain', {signal}).catch(() => undefined);
	}
}
