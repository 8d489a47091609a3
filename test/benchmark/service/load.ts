import {fork, once, path} from '../../helpers/node.ts';

/** What is sent, by all connections at once and by each without a pause. */
export type Load = {
	readonly address: string;
	readonly connections: number;
	readonly seconds: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** One for all connections, or two for each, which it sends in turns. */
	readonly requests: ReadonlyArray<{readonly method: string; readonly path: string; readonly body?: object}>;
	readonly status: number;
};

export type LoadResult = {
	readonly answersPerSecond: number;
	/** Those of another status, and requests without an answer. */
	readonly otherAnswers: number;
	readonly p99Milliseconds: number;
};

/** Sends a load from a process of its own. */
export async function sendLoad(toolFolder: string, load: Load): Promise<LoadResult> {
	const child = fork(path.join(import.meta.dirname, 'load-process.ts'), [toolFolder], {execArgv: []});
	const ended = once(child, 'exit');
	child.send(load);
	const answer = (await Promise.race([once(child, 'message'), ended.then(() => undefined)])) as [LoadResult] | undefined;
	if (answer === undefined) {
		throw new Error('The process that sends the load ended without a result');
	}

	child.disconnect();
	await ended;
	const [result] = answer;
	if (result.otherAnswers > 0) {
		throw new Error(
			`${load.requests[0]!.method} ${load.requests[0]!.path}: ${result.otherAnswers} requests were not answered with ${load.status}`,
		);
	}

	return result;
}
