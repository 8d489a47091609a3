import {type RequestLogEntry} from '../../client/client.ts';

/** How many requests are kept. */
const length = 50;

/** A request, by the number that it has in this run. */
export type LoggedRequest = RequestLogEntry & {readonly number: number};

export type RequestLog = {
	/** The newest last. A new array after each request. */
	getEntries(): readonly LoggedRequest[];
	subscribe(listener: () => void): () => void;
	add(entry: RequestLogEntry): void;
};

/** The last requests, for the screen: no key and no body is in them. */
export const createRequestLog = (): RequestLog => {
	let entries: readonly LoggedRequest[] = [];
	let count = 0;
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
			entries = [...entries, {...entry, number: ++count}].slice(-length);
			for (const listener of listeners) {
				listener();
			}
		},
	};
};
