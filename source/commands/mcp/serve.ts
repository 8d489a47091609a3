import type {CallToolResult} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {untilAborted} from '../command.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {createCallRunner, noteUnanswered} from './run-calls.ts';
import {createServer} from './server.ts';
import {createTools} from './tools.ts';
import {createStreamTransport} from './transport.ts';

/** Reports the first of what a client sends that is not a message. */
const createComplaint = ({note}: Context) => {
	let isFirst = true;
	return (): void => {
		if (isFirst) {
			note('Ignored input that is not a Model Context Protocol message.');
		}

		isFirst = false;
	};
};

/**
Serves the tools over standard input and output, until the input ends or a signal comes. The end of the input lets the calls in progress
finish; a signal ends them, and the outcome of what was sent is still reported.
*/
export const serveAssistant = async (context: Context, service: Service, isPruneAllowed: boolean): Promise<void> => {
	const {options: {isReadOnly}, streams: {stdin, stdout}} = context;
	const tools = createTools({isReadOnly, isPruneAllowed});
	const runCall = createCallRunner(context, service);
	const transport = createStreamTransport(stdin, stdout, ({method, params}, answer) => {
		const tool = method === 'tools/call' ? tools.find(({name, isWriting}) => isWriting && name === params?.['name']) : undefined;
		if (tool !== undefined && 'result' in answer) {
			noteUnanswered(context, tool, answer.result as CallToolResult);
		}
	});
	const handle = serveStdio(() => createServer(tools, runCall, isReadOnly), {transport, onerror: createComplaint(context)});
	if (stdin.isTTY) {
		context.note('Waiting for a client of the Model Context Protocol. Press Ctrl+D to stop.');
	}

	try {
		await Promise.race([transport.closed, untilAborted(context.signal)]);
		transport.endInput();
		await transport.closed;
	} finally {
		await context.whenFinished();
		await handle.close();
	}

	context.signal.throwIfAborted();
};
