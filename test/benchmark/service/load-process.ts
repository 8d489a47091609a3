import {once} from 'node:events';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import type {Load, LoadResult} from './load.ts';

/* Sends the load that it is told of by the autocannon that is installed in the folder of its argument, and says what came of it. */

type Request = {readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string};

/** What is used of it; it brings no types. */
type Autocannon = (options: {
	readonly url: string;
	readonly connections: number;
	readonly duration: number;
	readonly timeout: number;
	readonly requests: readonly Request[];
	setupClient(client: {setRequests(requests: readonly Request[]): void}): void;
}) => Promise<{
	readonly duration: number;
	readonly latency: {readonly p99: number};
	readonly statusCodeStats: Readonly<Record<string, {readonly count: number}>>;
	readonly errors: number;
}>;

const autocannon = createRequire(path.join(process.argv[2]!, 'package.json'))('autocannon') as Autocannon;

const requestsOf = ({requests, headers}: Load, connection: number): readonly Request[] =>
	requests
		.slice(...(requests.length === 1 ? [] : [connection * 2, connection * 2 + 2]))
		.map(({method, path: target, body}) => ({
			method,
			path: target,
			headers: {...headers, ...(body !== undefined && {'content-type': 'application/json'})},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}));

async function send(load: Load): Promise<LoadResult> {
	let connection = 0;
	const {duration, latency, statusCodeStats, errors} = await autocannon({
		url: load.address,
		connections: load.connections,
		duration: load.seconds,
		timeout: 120,
		requests: requestsOf(load, 0),
		setupClient(client) {
			client.setRequests(requestsOf(load, connection++));
		},
	});
	const ownStatus = String(load.status);
	let otherAnswers = errors;
	for (const [status, {count}] of Object.entries(statusCodeStats)) {
		otherAnswers += status === ownStatus ? 0 : count;
	}

	return {answersPerSecond: (statusCodeStats[ownStatus]?.count ?? 0) / duration, otherAnswers, p99Milliseconds: latency.p99};
}

const [load] = (await once(process, 'message')) as [Load];
process.send!(await send(load));
