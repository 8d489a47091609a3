import type {TestContext} from 'node:test';
import {environmentFor} from './outcomes.ts';
import {startInProcess, type RunningCommand} from './running-command.ts';

/** So long that polling prints nothing. */
const never = ['--interval', '3600'] as const;

/** Starts a watch of a service that prints what comes on the stream, until the test ends. */
export async function startWatch(
	t: TestContext,
	service: {readonly baseAddress: string; readonly apiKey: string},
	...words: readonly string[]
): Promise<RunningCommand> {
	const watch = startInProcess(['watch', ...(words.includes('--interval') ? [] : never), ...words], environmentFor(service));
	t.after(async () => watch[Symbol.asyncDispose]());
	await watch.waitFor(({errors}) => errors().includes('Watching.'));
	return watch;
}
