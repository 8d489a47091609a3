import {setImmediate as nextTurn} from 'node:timers/promises';

/** Returns a value whose changes can be watched, in the form that `useSyncExternalStore` takes. */
export function createObservable<Value>(initial: Value) {
	let value = initial;
	const listeners = new Set<() => void>();
	return {
		get: (): Value => value,
		/** Notifies all subscribers if the value differs. */
		set(next: Value): void {
			if (next === value) {
				return;
			}

			value = next;
			for (const listener of listeners) {
				listener();
			}
		},
		/** @returns a function that ends the subscription. */
		subscribe(listener: () => void): () => void {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
}

/** Resolves once the condition is met; it is checked now, and in the turn after an event of one of the sources. */
export async function when(
	isMet: () => boolean,
	...sources: ReadonlyArray<ReturnType<typeof createObservable>['subscribe']>
): Promise<void> {
	while (!isMet()) {
		const {promise, resolve} = Promise.withResolvers<void>();
		const ends = sources.map(subscribe => subscribe(resolve));
		await promise;
		for (const end of ends) {
			end();
		}

		await nextTurn();
	}
}

/** Resolves when the work ends, or at the latest after this time. */
export async function withDeadline(work: Promise<void>, milliseconds: number): Promise<void> {
	const timer = Promise.withResolvers<void>();
	const timeout = setTimeout(timer.resolve, milliseconds);
	await Promise.race([work, timer.promise]);
	clearTimeout(timeout);
}

/**
Returns a reducer outside React. Several keys may arrive before the next frame: each must see the effect of the key before it, which a value
captured by a render cannot show.
*/
export function createStore<State, Action>(reduce: (state: State, action: Action) => State, initial: State) {
	const state = createObservable(initial);
	return {
		getState: state.get,
		dispatch(action: Action): void {
			state.set(reduce(state.get(), action));
		},
		subscribe: state.subscribe,
	};
}

export type StateStore<State, Action> = ReturnType<typeof createStore<State, Action>>;

/** Returns an object with these values; the object itself if it has them already, so that nothing is redrawn. */
export function withChanges<Value extends object>(before: Value, values: Partial<Value>): Value {
	const names = Object.keys(values) as Array<keyof Value & string>;
	return names.every(name => Object.hasOwn(before, name) && Object.is(before[name], values[name])) ? before : {...before, ...values};
}
