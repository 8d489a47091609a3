import {type RequestLogEntry} from '../../client/client.ts';
import {createObservable, type Observable} from './observable.ts';

/** How many requests are kept. */
const length = 50;

/** A request, by the number that it has in this run. */
export type LoggedRequest = RequestLogEntry & {readonly number: number};

export type RequestLog = Pick<Observable<readonly LoggedRequest[]>, 'subscribe'> & {
	/** The newest last. A new array after each request. */
	getEntries(): readonly LoggedRequest[];
	add(entry: RequestLogEntry): void;
};

/** The last requests, for the screen: it holds no key and no body. */
export const createRequestLog = (): RequestLog => {
	const entries = createObservable<readonly LoggedRequest[]>([]);
	let count = 0;
	return {
		getEntries: entries.get,
		subscribe: entries.subscribe,
		add(entry) {
			entries.set([...entries.get(), {...entry, number: ++count}].slice(-length));
		},
	};
};
