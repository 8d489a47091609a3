/** How many of a thing there are at most, shared among those who take them. */
export type Shares = {
	/** True if one was taken. */
	readonly take: (owner: string) => boolean;
	readonly give: (owner: string) => void;
};

/** Nobody holds more than is left free for the others: one alone gets half of all, the next half of the rest. */
export const createShares = (most: number): Shares => {
	const held = new Map<string, number>();
	let total = 0;
	const add = (owner: string, count: number): void => {
		total += count;
		const now = (held.get(owner) ?? 0) + count;
		if (now === 0) {
			held.delete(owner);
		} else {
			held.set(owner, now);
		}
	};

	return {
		take(owner) {
			const hasRoom = (held.get(owner) ?? 0) < most - total;
			if (hasRoom) {
				add(owner, 1);
			}

			return hasRoom;
		},
		give(owner) {
			add(owner, -1);
		},
	};
};
