import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';

/** What became of one of several. */
export type Outcome<Item> = {
	readonly item: Item;
	/** `undefined` where it was done. */
	readonly error: SwitchboardError | undefined;
};

/** Enough to hide the line's latency, few enough to be no burden on the service. */
const atATime = 4;

/** Does the same to each item, a few at a time, and goes on where one fails. Tells of each as it ends. */
export const doToEach = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>, onEach: (outcome: Outcome<Item>) => void): Promise<void> => {
	const waiting = [...items];

	const workOn = async (): Promise<void> => {
		for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
			let error: SwitchboardError | undefined;
			try {
				await work(item);
			} catch (error_) {
				error = toSwitchboardError(error_);
			}

			onEach({item, error});
		}
	};

	await Promise.all(Array.from({length: Math.min(atATime, items.length)}, workOn));
};
