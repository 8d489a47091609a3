export type Store<State, Action> = {
	/** The state as of the last action, also between two frames. */
	getState(): State;
	dispatch(action: Action): void;
	/** @returns a function that ends the subscription. */
	subscribe(listener: () => void): () => void;
};

/**
A reducer outside React. Several keys may arrive before the next frame: each must see what the one before it did, which
a value captured by a render cannot give.
*/
export const createStore = <State, Action>(reduce: (state: State, action: Action) => State, initial: State): Store<State, Action> => {
	let state = initial;
	const listeners = new Set<() => void>();
	return {
		getState: () => state,
		dispatch(action) {
			const next = reduce(state, action);
			if (next === state) {
				return;
			}

			state = next;
			for (const listener of listeners) {
				listener();
			}
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
};
