import {once} from 'node:events';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {stringifyJson} from '../../interface/json.ts';
import {resources} from '../../interface/records.ts';
import type {Change} from '../../state/change.ts';
import {changeText} from '../../state/change-text.ts';
import {isForPerson, type Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {followLists} from './follow-lists.ts';
import {poll, type Look, type Outdated} from './poll.ts';
import type {ProgramQueue} from './program-queue.ts';
import {toPublicChange, type SeenChange} from './seen-change.ts';

const changesInATurn = 1000;

/** A person reads the time of the day in their own zone; a script the whole one. */
const lineOf = (context: Context, change: SeenChange): string =>
	`${isForPerson(context) ? `${new Date(change.at).toTimeString().slice(0, 8)}  ` : `${change.at}\t`}${changeText(change)}`;

const printChange = (context: Context, change: SeenChange): void => {
	if (context.options.isJson) {
		context.printData(`${stringifyJson(toPublicChange(change), 0)}\n`);
	} else {
		context.print(lineOf(context, change));
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

const handleChanges = async (context: Context, changes: readonly Change[], queue: ProgramQueue | undefined, signal: AbortSignal): Promise<void> => {
	const at = new Date().toISOString();
	for (const [index, change] of changes.entries()) {
		const seen = {...change, at};
		printChange(context, seen);
		queue?.add(seen);
		if (index % changesInATurn !== changesInATurn - 1) {
			continue;
		}

		await nextTurn();
		await whenRead(context, signal);
	}

	await whenRead(context, signal);
};

type WatchOptions = {
	/** How often to read the lists while no stream is open. */
	readonly intervalMilliseconds: number;
	/** Takes each change after it was printed. */
	readonly queue?: ProgramQueue | undefined;
	readonly signal: AbortSignal;
};

/** Prints each change of the three lists of a service until the signal comes. Outages are survived. */
export const watchChanges = async (context: Context, service: Service, {intervalMilliseconds, queue, signal}: WatchOptions): Promise<void> => {
	const readRound = followLists(context, service, signal);
	const look = async (outdated: Outdated): Promise<Look> => {
		await queue?.whenReady();
		try {
			const round = await readRound(outdated);
			await handleChanges(context, round.changes, queue, signal);
			return round;
		} finally {
			// Nothing is read until the next round.
			context.showProgress('');
		}
	};

	await poll(context, {
		client: service.client, resources, intervalMilliseconds, signal, look,
	});
};
