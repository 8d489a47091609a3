/** A value whose changes can be watched, as `useSyncExternalStore` wants it. */
export type Observable<Value> = {
	get(): Value;
	/** Tells all subscribers, unless it is the same value. */
	set(value: Value): void;
	/** @returns a function that ends the subscription. */
	subscribe(listener: () => void): () => void;
};

export const createObservable = <Value>(initial: Value): Observable<Value> => {
	let value = initial;
	const listeners = new Set<() => void>();
	return {
		get: () => value,
		set(next) {
			if (next === value) {
				return;
			}

			value = next;
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
