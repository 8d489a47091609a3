import {networkOf} from './network-of.ts';

/** Slows down whoever tries one key after another. */
export type FailedTries = {
	/** Counts a failed try. Returns how long the answer to it has to wait. */
	readonly delayMilliseconds: (address: string) => number;
	/** Somebody came in from there. */
	readonly forget: (address: string) => void;
};

type Options = {
	readonly now?: () => number;
	/** What each failed try adds to the wait. */
	readonly stepMilliseconds?: number;
};

const longestSteps = 30;

const rememberedMilliseconds = 10 * 60 * 1000;

/** Beyond this the oldest are forgotten, so that a flood from everywhere takes no memory. */
const mostAddresses = 10_000;

export const createFailedTries = ({now = () => performance.now(), stepMilliseconds = 100}: Options = {}): FailedTries => {
	const tries = new Map<string, {readonly count: number; readonly at: number}>();
	return {
		delayMilliseconds(address) {
			const source = networkOf(address);
			const before = tries.get(source);
			const count = before === undefined || now() - before.at > rememberedMilliseconds ? 1 : Math.min(before.count + 1, longestSteps);
			// The last one in the map is the one that failed last.
			tries.delete(source);
			tries.set(source, {count, at: now()});
			if (tries.size > mostAddresses) {
				tries.delete(tries.keys().next().value!);
			}

			return count * stepMilliseconds;
		},
		forget(address) {
			tries.delete(networkOf(address));
		},
	};
};
