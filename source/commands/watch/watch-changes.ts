import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {cleanLines, cleanText} from '../../interface/clean-text.ts';
import {stringifyJson, type JsonValue} from '../../interface/json.ts';
import {changeText, type Change} from '../../changes/change.ts';
import {counted, formatCount} from '../../interface/format-count.ts';
import {environmentWithoutKeys} from '../../platform/secret-variables.ts';
import type {ResourceList} from '../../client/client.ts';
import {isUnknown} from '../../client/routes.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {listNouns, recordNouns} from '../../interface/lists.ts';
import {rawName, resources, type Ability, type Records, type Resource} from '../../interface/records.ts';
import {compareWithKnown, isWhole, type Known} from '../../changes/compare-lists.ts';
import {isForPerson, type Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {createChangeReader, type SeenChange} from './follow-history.ts';
import {isOutage, poll, pollList, type Look, type OpenStream, type Outdated} from './poll.ts';

/** The fields in the order of `docs/compatibility.md`, JSON; `by` only where it is known. */
const toPublicChange = ({at, kind, name, field, from, to, by}: SeenChange) => ({
	at,
	kind,
	name,
	field,
	from,
	to,
	...(by !== undefined && {by}),
});

/** A change in one line, with its author. */
const seenText = (change: SeenChange): string => `${changeText(change)}${change.by === undefined ? '' : ` (by ${change.by})`}`;

/** A system limits what one variable may hold, and all of them together. */
const maximumVariableLength = 4000;

const variableText = (field: string, value: JsonValue): string => {
	if (value === null) {
		return '';
	}

	if (typeof value === 'boolean') {
		return field === 'enabled' ? (value ? 'on' : 'off') : String(value);
	}

	const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
	return field === 'prompt' ? cleanLines(text, maximumVariableLength) : cleanText(text, maximumVariableLength);
};

/** A change as variables for a program, cleaned and cut to a length that every system takes. */
const changeVariables = ({at, kind, name, field, from, to, by = ''}: SeenChange): Readonly<Record<string, string>> => ({
	SWITCHBOARD_CHANGE_AT: at,
	SWITCHBOARD_CHANGE_KIND: kind,
	SWITCHBOARD_CHANGE_NAME: cleanText(name, maximumVariableLength),
	SWITCHBOARD_CHANGE_FIELD: field,
	SWITCHBOARD_CHANGE_FROM: variableText(field, from),
	SWITCHBOARD_CHANGE_TO: variableText(field, to),
	SWITCHBOARD_CHANGE_BY: by,
});

/** A program and its arguments. */
export type Command = {readonly program: string; readonly args: readonly string[]};

/** With more changes waiting, no new ones are looked for. */
const maximumWaiting = 100;

/** How long a program may take to end once it is told to. */
const graceMilliseconds = 5000;

const startProblems: Readonly<Record<string, string>> = {ENOENT: 'it was not found', EACCES: 'permission denied'};

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Tells the program to end, and ends it if it does not, or if another signal comes, which ends this process too. */
const endProgram = (child: ChildProcess): void => {
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
};

/**
Runs a program once for each change, one after the other and without a shell. The change is in its environment, which has no key, and as a
line of JSON on its standard input; what it prints goes to standard error. A failure is noted and the next change follows.
*/
export const createProgramQueue = ({note, env}: Context, {program, args}: Command) => {
	const waiting: SeenChange[] = [];
	const name = cleanText(program, 80);
	let child: ChildProcess | undefined;
	let running: Promise<void> | undefined;
	let isClosed = false;
	let whenFewer = Promise.withResolvers<void>();

	const runOnce = async (change: SeenChange): Promise<void> => {
		try {
			child = spawn(program, args, {stdio: ['pipe', 2, 2], env: {...environmentWithoutKeys(env), ...changeVariables(change)}});
			// It need not read its input.
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

	/** Closing empties the queue, which ends it. */
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
		/** Runs the program with a change, after it has ended for those before. */
		add(change: SeenChange): void {
			if (isClosed) {
				return;
			}

			waiting.push(change);
			running ??= runAll();
		},
		/** Resolves once few enough changes wait, or when the queue is closed. */
		async whenReady(): Promise<void> {
			if (!(waiting.length > maximumWaiting) || isClosed) {
				return;
			}

			note(`${name} has not kept up: ${counted(waiting.length, 'change')} wait for it. New ones are looked for once it has.`);
			whenFewer = Promise.withResolvers();
			await whenFewer.promise;
		},
		/** Ends the program and drops the changes that wait. */
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
};

type ProgramQueue = ReturnType<typeof createProgramQueue>;

/** Abilities first: agents name them. */
const order = ['abilities', 'installed', 'agents'] as const satisfies readonly Resource[];

type Followed<R extends Resource> = {readonly list: ResourceList<Records[R]>; readonly known: Known<R>; readonly requestedAt: number};

const countOf = (resource: Resource, count: number): string =>
	`${formatCount(count)} ${count === 1 ? recordNouns[resource] : listNouns[resource]}`;

/**
Follows the three lists of a service. Each call of the function that it returns reads some of them once more and tells what changed since.

A list that the service does not have is noted once and left out; without any list that function throws. So it does for an error
that is no outage, such as `key-refused`.
*/
const followLists = (
	{note}: Context,
	{client, noteSeen}: Service,
	signal: AbortSignal,
): ((outdated: Outdated) => Promise<Look & {readonly changes: readonly Change[]}>) => {
	const followed: {-readonly [R in Resource]?: Followed<R>} = {};
	const missing = new Set<Resource>();
	const incomplete = new Set<Resource>();
	let abilitiesBefore: ReadonlyMap<number, Ability> = new Map();
	let isStarted = false;

	const nameOf = (id: number): string => {
		const ability = followed.abilities?.known.records.get(id) ?? abilitiesBefore.get(id);
		return ability === undefined ? `#${id}` : rawName(ability);
	};

	const read = async <R extends Resource>(resource: R, version: string | undefined): Promise<readonly Change[]> => {
		const before = followed[resource];
		const requestedAt = Date.now();
		const list = await pollList(client, resource, before?.list, version, signal);
		if (!isWhole(list) && !incomplete.has(resource)) {
			incomplete.add(resource);
			note(`The list of ${listNouns[resource]} is incomplete: what comes and goes in it is not reported until it is whole.`);
		}

		const {known, changes} = compareWithKnown(resource, before?.known, list, nameOf);
		abilitiesBefore = resource === 'abilities' ? (followed.abilities?.known.records ?? abilitiesBefore) : abilitiesBefore;
		(followed as Record<Resource, unknown>)[resource] = {list, known, requestedAt} satisfies Followed<R>;
		noteSeen(changes, before?.requestedAt ?? requestedAt);
		return changes;
	};

	const noteStart = (): void => {
		const seen = order
			.toReversed()
			.flatMap(resource => (followed[resource] === undefined ? [] : [countOf(resource, followed[resource].known.records.size)]));
		isStarted = seen.length === order.length - missing.size;
		if (isStarted) {
			note(`Watching ${seen.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`);
		}
	};

	const handleError = (resource: Resource, error_: unknown): SwitchboardError | undefined => {
		const error = toSwitchboardError(error_);
		if (isUnknown(error) && followed[resource] === undefined) {
			missing.add(resource);
			if (missing.size === order.length) {
				throw new SwitchboardError('not-found', error.message, {nextStep: error.nextStep, status: error.status, cause: error});
			}

			note(`The service has no list of ${listNouns[resource]} (HTTP ${error.status}): they are not watched.`);
			return undefined;
		}

		if (!isOutage(error)) {
			throw error_;
		}

		return error;
	};

	return async outdated => {
		const startedAt = performance.now();
		const changes: Change[] = [];
		let failure: SwitchboardError | undefined;
		const wanted = order.filter(resource => outdated.has(resource) && !missing.has(resource));
		for (const resource of wanted) {
			try {
				changes.push(...(await read(resource, outdated.get(resource))));
			} catch (error) {
				failure ??= handleError(resource, error);
			}

			// The next list would only be waited for as long.
			if (failure?.kind === 'unreachable' || failure?.kind === 'timeout' || signal.aborted) {
				break;
			}
		}

		if (!isStarted && failure === undefined && !signal.aborted) {
			noteStart();
		}

		return {changes, failure, readMilliseconds: performance.now() - startedAt};
	};
};

const changesInATurn = 1000;

/** A person reads the time of the day in their own zone; a script the whole one. */
const printChange = (context: Context, change: SeenChange): void => {
	const time = isForPerson(context) ? `${new Date(change.at).toTimeString().slice(0, 8)}  ` : `${change.at}\t`;
	if (context.options.isJson) {
		context.printData(`${stringifyJson(toPublicChange(change), 0)}\n`);
	} else {
		context.print(`${time}${seenText(change)}`);
	}
};

/** Waits for a slow reader: what it has not read is in memory. */
const whenRead = async ({streams: {stdout}}: Context, signal: AbortSignal): Promise<void> => {
	if (stdout.writableNeedDrain) {
		try {
			await once(stdout, 'drain', {signal});
		} catch {
			// The signal, or a closed pipe, ends the watch.
		}
	}
};

const handleChanges = async (
	context: Context,
	changes: readonly SeenChange[],
	queue: ProgramQueue | undefined,
	signal: AbortSignal,
): Promise<void> => {
	for (let start = 0; start < changes.length; start += changesInATurn) {
		for (const change of changes.slice(start, start + changesInATurn)) {
			printChange(context, change);
			queue?.add(change);
		}

		await nextTurn();
		await whenRead(context, signal);
	}
};

/**
Prints each change of the three lists of a service until the signal comes. Outages are survived.

@param intervalMilliseconds - how often to read the lists while no stream is open.
@param queue - gets each change after it was printed.
*/
export const watchChanges = async (
	context: Context,
	service: Service,
	{
		intervalMilliseconds,
		queue,
		signal,
	}: {readonly intervalMilliseconds: number; readonly queue: ProgramQueue | undefined; readonly signal: AbortSignal},
): Promise<void> => {
	const readLists = followLists(context, service, signal);
	const readRound = createChangeReader(service.client, signal);
	const all: Outdated = new Map(resources.map(resource => [resource, undefined]));
	const look = async (outdated: Outdated, stream: OpenStream | undefined): Promise<Look> => {
		await queue?.whenReady();
		try {
			const round = await readRound(stream, async isAll => readLists(isAll ? all : outdated));
			await handleChanges(context, round.changes, queue, signal);
			return round;
		} finally {
			// Nothing is read until the next round.
			context.showProgress('');
		}
	};

	await poll(context, {client: service.client, resources, intervalMilliseconds, signal, look});
};
