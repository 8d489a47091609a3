import type {RequestLogEntry} from '../../client/client.ts';
import {createObservable} from '../observable.ts';

const length = 50;

export type LoggedRequest = RequestLogEntry & {readonly number: number};

/** Returns the last requests, for the screen, without keys and bodies. */
export function createRequestLog() {
	const entries = createObservable<readonly LoggedRequest[]>([]);
	let count = 0;
	return {
		/** The newest last. A new array after each request. */
		getEntries: entries.get,
		subscribe: entries.subscribe,
		add(entry: RequestLogEntry): void {
			entries.set([...entries.get(), {...entry, number: ++count}].slice(-length));
		},
	};
}

export type RequestLog = ReturnType<typeof createRequestLog>;
