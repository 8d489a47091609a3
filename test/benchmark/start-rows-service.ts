import {fork} from 'node:child_process';
import {once} from 'node:events';
import path from 'node:path';

export type LineCounts = {
	/** Each request as `METHOD path`. */
	readonly requests: readonly string[];
	/** Bytes of requests and answers, heads included. */
	readonly bytes: number;
};

/** Starts a service with so many installed abilities (`rows-service.ts`). */
export async function startRowsService(count: number) {
	const child = fork(path.join(import.meta.dirname, 'rows-service.ts'), [String(count)], {execArgv: ['--import', 'tsx']});
	const [port] = (await once(child, 'message')) as [number];
	return {
		env: {SWITCHBOARD_BASE_URL: `http://127.0.0.1:${port}`, SWITCHBOARD_API_KEY: 'a-key-of-the-benchmark'},
		async counts() {
			const answer = once(child, 'message') as Promise<[LineCounts]>;
			child.send('counts');
			return (await answer)[0];
		},
		async [Symbol.asyncDispose]() {
			const ended = once(child, 'exit');
			child.disconnect();
			await ended;
		},
	};
}

export type RowsService = Awaited<ReturnType<typeof startRowsService>>;
