import {SwitchboardError} from '../interface/errors.ts';

/** The files of a key that wait for the current one. */
const mostWaiting = 8;

const tooMany = new SwitchboardError('rate-limited', 'Too many files of your key are already waiting. Nothing was done.', {
	nextStep: 'Try again once the others are done.',
});

type Queue = {placeCount: number; last: Promise<unknown>};

const queues = new Map<string, Queue>();

/**
Returns the place of a command in the queue of a key's commands that work on sent files: one at a time, so that nobody keeps others waiting.
*/
export function createFilePlace(fingerprint: string, signal: AbortSignal) {
	const {promise: left, resolve: leave} = Promise.withResolvers<undefined>();
	const {promise: aborted, reject: abort} = Promise.withResolvers<never>();
	let queue: Queue | undefined;
	let turn: Promise<unknown> | undefined;
	// Nobody may be waiting.
	aborted.catch(() => undefined);
	signal.addEventListener('abort', () => abort(signal.reason), {once: true});
	return {
		/**
		Takes a place, before anything is read.

		@throws SwitchboardError `rate-limited` if there is no free place.
		*/
		enter(): void {
			if (queue !== undefined) {
				return;
			}

			const own = queues.get(fingerprint) ?? {placeCount: 0, last: Promise.resolve()};
			if (own.placeCount > mostWaiting) {
				throw tooMany;
			}

			own.placeCount++;
			queues.set(fingerprint, own);
			queue = own;
		},
		/** Resolves once the commands that were ready earlier have left. */
		async turn(): Promise<void> {
			if (queue !== undefined && turn === undefined) {
				turn = queue.last;
				queue.last = Promise.all([turn, left]);
			}

			await Promise.race([turn, aborted]);
		},
		leave(): void {
			leave(undefined);
			if (queue !== undefined && --queue.placeCount === 0) {
				queues.delete(fingerprint);
			}

			queue = undefined;
		},
	};
}

export type FileLane = ReturnType<typeof createFilePlace>;
