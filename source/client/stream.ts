import {type IncomingHttpHeaders} from 'node:http';
import got, {type OptionsInit} from 'got';

export type StreamHandlers = {
	/** Called with the head of the answer; returns false if the rest is not wanted. */
	onHead(head: {readonly status: number; readonly headers: Readonly<IncomingHttpHeaders>}): boolean;
	/** Called with each piece; returns false if no more is wanted. */
	onBytes(bytes: Uint8Array): boolean;
};

type StreamOptions = StreamHandlers & {
	readonly request: OptionsInit;
	readonly signal: AbortSignal | undefined;
	/** How long the head may take. */
	readonly headMilliseconds: number;
	/** How long nothing may come afterwards. */
	readonly silenceMilliseconds: number;
};

/** How a stream ended: `read` if it was read to its end, or no more was wanted. */
type StreamEnd = 'read' | 'no-answer' | 'cancelled' | {readonly error: unknown};

/** Reads an answer piece by piece, as long as both ends want it. */
export const readStream = async (url: URL, options: StreamOptions): Promise<StreamEnd> => {
	const {promise: ended, resolve} = Promise.withResolvers<StreamEnd>();
	const stream = got.stream(url, {...options.request, decompress: false});
	const end = (how: StreamEnd): void => {
		resolve(how);
		stream.destroy();
	};

	// Got goes on for a while where a proxy is silent: nobody waits for it.
	let timer = setTimeout(() => {
		end('no-answer');
	}, options.headMilliseconds);
	const onAbort = (): void => {
		end('cancelled');
	};

	options.signal?.addEventListener('abort', onAbort, {once: true});
	stream.on('error', error => {
		end({error});
	});
	for (const event of ['end', 'close']) {
		stream.once(event, () => {
			end('read');
		});
	}

	stream.once('response', ({statusCode, headers}: {readonly statusCode: number; readonly headers: IncomingHttpHeaders}) => {
		clearTimeout(timer);
		timer = setTimeout(end, options.silenceMilliseconds, 'read');
		if (!options.onHead({status: statusCode, headers})) {
			end('read');
		}
	});
	stream.on('data', (bytes: Uint8Array) => {
		timer.refresh();
		if (!options.onBytes(bytes)) {
			end('read');
		}
	});
	try {
		return await ended;
	} finally {
		clearTimeout(timer);
		options.signal?.removeEventListener('abort', onAbort);
	}
};
