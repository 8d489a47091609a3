import {once} from 'node:events';
import {setTimeout as delay} from 'node:timers/promises';
import {connectAlone, type Pg} from './connect.ts';

const pauseMilliseconds = 500;

type Listening = {
	readonly pg: Pg;
	readonly url: string;
	readonly channel: string;
	/** Called with each payload. */
	readonly receive: (payload: string | undefined) => void;
	/** Called each time that it listens, as something may have been missed before. */
	readonly begin: () => Promise<void>;
	readonly signal: AbortSignal;
};

const listenOnce = async ({pg, url, channel, receive, begin, signal}: Listening): Promise<void> => {
	const client = await connectAlone(pg, url);
	try {
		client.on('notification', ({payload}) => {
			receive(payload);
		});
		const end = once(client, 'end', {signal});
		await Promise.all([end, (async () => {
			await client.query(`listen ${channel}`);
			await begin();
		})()]);
	} finally {
		await client.end();
	}
};

/** Listens on a connection of its own, and connects again where it is lost, until the signal. */
export const listen = async (listening: Listening): Promise<void> => {
	const {signal} = listening;
	while (!signal.aborted) {
		try {
			await listenOnce(listening);
		} catch {
			// It is tried again; until then the versions are compared.
		}

		try {
			await delay(pauseMilliseconds, undefined, {signal});
		} catch {
			return;
		}
	}
};
