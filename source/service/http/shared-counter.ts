import {inTime} from '../../platform/in-time.ts';
import {type CountReport, type Limits} from '../store/store.ts';
import {
	beginEntry,
	type Entry,
	isChanged,
	isFull,
	isHolding,
	learn,
	letThrough,
	refusal,
	reportOn,
} from './shared-count.ts';
import {type Count} from './window-counter.ts';

/** Processes exchange their counts no more often. */
const intervalMilliseconds = 1000;

/** A database that takes longer counts as away. */
const patienceMilliseconds = 2000;

/**
The part of a limit that all processes together may let through although others hold what is left: a client that asks now and then
does not wait.
*/
const unaskedPart = 0.1;

const maximumNames = 10_000;

/** Counts an event of a name whose limit all processes share; one that is beyond the limit is answered with a higher count. */
export type SharedCounter = (name: string, limit: number) => Promise<Count>;

/**
Counts events in windows of a minute, together with the other processes on a database. Each lets through only what the database has set
aside for it, and a little more; an event beyond that waits until the processes have told each other again, a second later at most,
unless the limit as a whole is reached. Nothing is told where nothing was counted. While the database is away each process counts for itself.

@param now - a clock that nobody can set.
*/
export const createSharedCounter = ({exchange}: Limits, now: () => number = () => performance.now()): SharedCounter => {
	const entries = new Map<string, Entry>();
	let processCount = 1;
	let lastAt = -Infinity;
	/** When this process last learned of the others. */
	let toldAt = -Infinity;
	let isPlanned = false;

	const begin = (name: string, limit: number, time: number, waiters?: Entry['waiting']): Entry => {
		const entry = beginEntry(limit, time, waiters);
		entries.delete(name);
		entries.set(name, entry);
		// A map keeps the order in which names are added, so the first is the oldest.
		const oldest = entries.size > maximumNames && entries.entries().find(([, {waiting}]) => waiting.length === 0);
		if (oldest) {
			entries.delete(oldest[0]);
		}

		return entry;
	};

	const endWindows = (time: number): void => {
		for (const [name, entry] of entries) {
			if (entry.end > time) {
				continue;
			}

			entries.delete(name);
			if (entry.waiting.length > 0) {
				begin(name, entry.limit, time, entry.waiting);
			}
		}
	};

	const mayPass = (entry: Entry, time: number): boolean => isHolding(entry, time)
		|| (time - toldAt < intervalMilliseconds && !isFull(entry) && entry.unasked < Math.floor(entry.limit * unaskedPart / processCount));

	const answerWaiting = (entry: Entry, isAllowed: (entry: Entry, time: number) => boolean): void => {
		const time = now();
		while (entry.waiting.length > 0 && isAllowed(entry, time)) {
			entry.waiting.shift()!(letThrough(entry, time));
		}

		if (isFull(entry) || entry.used >= entry.limit) {
			for (const answer of entry.waiting.splice(0)) {
				answer(refusal(entry, time));
			}
		}
	};

	const tell = async (reports: readonly CountReport[]): Promise<void> => {
		const sentAt = now();
		try {
			const told = await inTime(exchange(reports), patienceMilliseconds);
			if (told === undefined) {
				throw new Error('The database took too long');
			}

			({processCount} = told);
			toldAt = sentAt;
			const sent = new Map(reports.map(report => [report.name, report]));
			for (const count of told.counts) {
				const entry = entries.get(count.name);
				if (entry === undefined) {
					continue;
				}

				learn(entry, sent.get(count.name)!, count, {sentAt, time: now()});
				answerWaiting(entry, mayPass);
			}
		} catch {
			for (const {name} of reports) {
				const entry = entries.get(name);
				if (entry !== undefined) {
					answerWaiting(entry, ({used, limit}) => used < limit);
				}
			}
		}
	};

	const tellAll = async (): Promise<void> => {
		endWindows(now());
		const reports = [...entries].filter(([, entry]) => isChanged(entry) || entry.held > 0).map(([name, entry]) => reportOn(name, entry));
		if (reports.length > 0) {
			lastAt = now();
			await tell(reports);
		}

		isPlanned = false;
		if (reports.length > 0) {
			plan();
		}
	};

	const plan = (): void => {
		if (isPlanned) {
			return;
		}

		isPlanned = true;
		setTimeout(() => {
			void tellAll();
		}, Math.max(0, lastAt + intervalMilliseconds - now())).unref();
	};

	return async (name, limit) => {
		const time = now();
		const known = entries.get(name);
		const entry = known !== undefined && (known.end > time || known.waiting.length > 0) ? known : begin(name, limit, time);
		if (entry.waiting.length === 0) {
			if (isFull(entry)) {
				return refusal(entry, time);
			}

			if (mayPass(entry, time)) {
				plan();
				return letThrough(entry, time);
			}
		}

		plan();
		return new Promise(resolve => {
			entry.waiting.push(resolve);
		});
	};
};
