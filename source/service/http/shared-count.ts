import {type CountReport, type SharedCount} from '../store/store.ts';
import {type Count} from './window-counter.ts';

const windowMilliseconds = 60_000;

/** Less than the database keeps for this process what it holds. */
const holdMilliseconds = 1500;

/** What a process knows of a name that others count as well. */
export type Entry = {
	readonly limit: number;
	window: number | undefined;
	/** When the window ends, by the clock of this process. */
	end: number;
	/** What this process has let through in the window, and how much of that the others know. */
	used: number;
	reported: number;
	usedElsewhere: number;
	held: number;
	heldUntil: number;
	/** What was let through that this process did not hold, since there was last something left for it. */
	unasked: number;
	readonly waiting: Array<(count: Count) => void>;
};

/** A window that its first event begins. */
export const beginEntry = (limit: number, time: number, waiting: Entry['waiting'] = []): Entry => ({
	limit, window: undefined, end: time + windowMilliseconds, used: 0, reported: 0, usedElsewhere: 0, held: 0, heldUntil: 0, unasked: 0, waiting,
});

/** True if there is something to report to the others. */
export const isChanged = ({used, reported, waiting}: Entry): boolean => used !== reported || waiting.length > 0;

export const reportOn = (name: string, entry: Entry): CountReport => ({
	name,
	window: entry.window,
	used: entry.used,
	waiting: entry.waiting.length,
	isWanted: isChanged(entry),
	limit: entry.limit,
});

/** True if the limit as a whole is reached. */
export const isFull = ({window, used, usedElsewhere, limit}: Entry): boolean => window !== undefined && used + usedElsewhere >= limit;

/** True if the database has set something aside for this process. */
export const isHolding = ({held, heldUntil}: Entry, time: number): boolean => held > 0 && heldUntil > time;

export const letThrough = (entry: Entry, time: number): Count => {
	entry.used++;
	if (isHolding(entry, time)) {
		entry.held--;
	} else {
		entry.unasked++;
	}

	// What was let through unasked may be more than was left.
	return {count: Math.min(entry.limit, entry.used + entry.usedElsewhere), millisecondsLeft: Math.max(1, entry.end - time)};
};

export const refusal = ({limit, end}: Entry, time: number): Count => ({count: limit + 1, millisecondsLeft: Math.max(1, end - time)});

/**
Takes what the database has told into account.

@param sent - to which it was the answer.
@param sentAt - by the clock of this process.
*/
export const learn = (entry: Entry, sent: CountReport, told: SharedCount, {sentAt, time}: {readonly sentAt: number; readonly time: number}): void => {
	const usedSince = entry.used - sent.used;
	const isSameWindow = sent.window === undefined || sent.window === told.window;
	entry.reported = isSameWindow ? sent.used : 0;
	entry.used = entry.reported + usedSince;
	entry.window = told.window;
	entry.end = time + Math.min(told.millisecondsLeft, windowMilliseconds);
	entry.usedElsewhere = told.usedElsewhere;
	entry.held = Math.max(0, told.held - usedSince);
	// Where something was left, what was let through before is within the limit.
	entry.unasked = told.held > 0 ? Math.max(0, usedSince - told.held) : entry.unasked;
	entry.heldUntil = sentAt + holdMilliseconds;
};
