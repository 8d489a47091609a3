import {createObservable, type Observable} from '../observable.ts';

export type Store<State, Action> = Pick<Observable<State>, 'subscribe'> & {
	/** The state as of the last action, also between two frames. */
	getState(): State;
	dispatch(action: Action): void;
};

/**
A reducer outside React. Several keys may arrive before the next frame: each must see what the one before it did, which
a value captured by a render cannot give.
*/
export const createStore = <State, Action>(reduce: (state: State, action: Action) => State, initial: State): Store<State, Action> => {
	const state = createObservable(initial);
	return {
		getState: state.get,
		dispatch(action) {
			state.set(reduce(state.get(), action));
		},
		subscribe: state.subscribe,
	};
};
