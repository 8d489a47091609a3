import {type RequestLogEntry} from '../../client/client.ts';

/** How many requests are kept. */
const length = 50;

export type RequestLog = {
	/** The newest last. A new array after each request. */
	getEntries(): readonly RequestLogEntry[];
	subscribe(listener: () => void): () => void;
	add(entry: RequestLogEntry): void;
};

/** The last requests, for the screen: no key and no body is in them. */
export const createRequestLog = (): RequestLog => {
	let entries: readonly RequestLogEntry[] = [];
	const listeners = new Set<() => void>();
	return {
		getEntries: () => entries,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		add(entry) {
			entries = [...entries, entry].slice(-length);
			for (const listener of listeners) {
				listener();
			}
		},
	};
};
