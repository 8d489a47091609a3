export type Listeners = {
	/** As `useSyncExternalStore` wants it; returns a function that ends the subscription. */
	subscribe(listener: () => void): () => void;
	notify(): void;
};

/** Those who want to know when something changes. */
export const createListeners = (): Listeners => {
	const listeners = new Set<() => void>();
	return {
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		notify() {
			for (const listener of listeners) {
				listener();
			}
		},
	};
};
