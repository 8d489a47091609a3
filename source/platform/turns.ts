import {setImmediate as nextTurn} from 'node:timers/promises';

/** Runs at most this many tasks at once; the others wait in order. */
export function limitConcurrency(maximum: number) {
	const waiting: Array<() => void> = [];
	let runningCount = 0;
	return async <Result>(task: () => Promise<Result>): Promise<Result> => {
		if (runningCount < maximum) {
			runningCount++;
		} else {
			await new Promise<void>(resolve => {
				waiting.push(resolve);
			});
		}

		try {
			return await task();
		} finally {
			// The next task takes over this task's place.
			const next = waiting.shift();
			if (next === undefined) {
				runningCount--;
			} else {
				next();
			}
		}
	};
}

/** Returns a function that runs work or, while that is under way, joins the run. */
export function joinRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
	let underWay: Promise<Result> | undefined;
	return async () => {
		underWay ??= work().finally(() => {
			underWay = undefined;
		});
		return underWay;
	};
}

const oneAtATime = limitConcurrency(1);

/**
Resolves in a later turn of the event loop. Long jobs that take turns run one after another: however many there are, everything else waits
for only one part.
*/
export async function takeTurn(): Promise<void> {
	return oneAtATime(async () => nextTurn());
}
