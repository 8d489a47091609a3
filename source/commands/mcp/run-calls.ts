import type {CallToolResult, ServerContext} from '@modelcontextprotocol/server';
import {toSwitchboardError} from '../../interface/errors.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {createCallContext} from './call-context.ts';
import {toErrorResult, toResult} from './results.ts';
import type {Tool} from './tool.ts';

type Request = Pick<ServerContext, 'mcpReq'>;

/** Runs a call of a tool, and returns the outcome whatever happens. */
export type RunCall = (tool: Tool, given: unknown, request: Request) => Promise<CallToolResult>;

/** Runs works one after another. */
const createQueue = () => {
	let last: Promise<unknown> = Promise.resolve();
	return async <T>(work: () => Promise<T>): Promise<T> => {
		const running = last.then(work);
		last = running.catch(() => undefined);
		return running;
	};
};

/** Sends the client what a call is doing, if it wants to know. */
const createProgress = ({mcpReq}: Request) => {
	const progressToken = mcpReq._meta?.progressToken;
	let progress = 0;
	let last = '';
	return (message: string): void => {
		if (progressToken === undefined || message === last || mcpReq.signal.aborted) {
			return;
		}

		progress++;
		last = message;
		// A client that is gone needs no progress.
		mcpReq.notify({method: 'notifications/progress', params: {progressToken, progress, message}}).catch(() => undefined);
	};
};

/** Tells on standard error what a call has changed that got no answer. */
export const noteUnanswered = ({note}: Context, {name}: Tool, {content}: CallToolResult, reason = 'could not be answered'): void => {
	const [first] = content;
	note(`${name} ${reason}: ${first?.type === 'text' ? first.text : ''}`);
};

/**
Runs the calls of a connection. Those that read run side by side. Those that write wait for each other: a change sends back parts of the
record that was read before it, and would undo one that came between.
*/
export const createCallRunner = (server: Context, service: Service): RunCall => {
	const oneAtATime = createQueue();

	const run: RunCall = async (tool, given, request) => {
		const {context, notes, end} = createCallContext(server, request.mcpReq.signal, createProgress(request));
		try {
			context.signal.throwIfAborted();
			return toResult(await tool.run({context, service}, given), notes);
		} catch (error) {
			return toErrorResult(toSwitchboardError(service.explain(error)), notes);
		} finally {
			end();
		}
	};

	return async (tool, given, request) => {
		if (!tool.isWriting) {
			return run(tool, given, request);
		}

		const result = await server.finishBeforeExit(oneAtATime(async () => run(tool, given, request)));
		// A cancelled request gets no answer, but what it has changed must not go unsaid.
		if (request.mcpReq.signal.aborted) {
			noteUnanswered(server, tool, result, 'was cancelled');
		}

		return result;
	};
};
