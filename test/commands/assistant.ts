import {createInterface, once, process, type TestContext, text} from '../helpers/node.ts';
import {PassThrough, type Writable} from 'node:stream';
import {Client, type ClientOptions, type JSONRPCMessage, type RequestOptions, type Transport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import type {LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import {programFile} from '../helpers/run-command.ts';
import {runHere, spawnCommand, type Running} from './running-command.ts';
import {parseJson} from './served-home.ts';
import {startLiveLike} from './start-live-like.ts';

export type ToolError = {readonly kind: string; readonly message: string; readonly next_step?: string};

/** What a call returned: its value, and whether it counts as failed. */
type Returned<Value> = {
	readonly isError: boolean;
	readonly value: Value & {readonly error?: ToolError; readonly notes?: readonly string[]};
};

type Env = Readonly<Record<string, string>>;

type AssistantOptions = {readonly words?: readonly string[]; readonly options?: ClientOptions; readonly isProcess?: boolean};

/**
The client of the SDK, connected to a server in this process, or to the built program. In this process commands with another environment
wait until the client is closed, at the latest after the test.
*/
export async function connectAssistant(t: TestContext, env: Env, {words = [], options, isProcess = false}: AssistantOptions = {}) {
	const client = new Client({name: 'tests', version: '1'}, options);
	await client.connect(
		isProcess
			? new StdioClientTransport({command: process.execPath, args: [programFile, 'mcp', ...words], env: {...env}, stderr: 'ignore'})
			: createTransport(runInProcess(words, env)),
	);
	t.after(async () => client.close());
	return {
		client,
		/** Calls a tool. The client checks structured content against the output schema; the text must be the same. */
		async call<Value = object>(
			name: string,
			given: Record<string, unknown> = {},
			requestOptions?: RequestOptions,
		): Promise<Returned<Value>> {
			const {content, structuredContent, isError = false} = await client.callTool({name, arguments: given}, requestOptions);
			const [first] = content;
			const value = parseJson(first?.type === 'text' ? first.text : '') as Returned<Value>['value'];
			if (structuredContent !== undefined && JSON.stringify(structuredContent) !== JSON.stringify(value)) {
				throw new Error(`The text of ${name} is not its structured content.`);
			}

			return {isError, value};
		},
	};
}

/** A server with its input. */
type Server = Running & {readonly stdin: Writable};

function createTransport({stdin, stdout, stderr, exited}: Server): Transport {
	const transport: Transport = {
		async start() {
			stderr.resume();
			createInterface({input: stdout}).on('line', line => {
				transport.onmessage?.(parseJson(line) as JSONRPCMessage);
			});
		},
		async send(message) {
			stdin.write(`${JSON.stringify(message)}\n`);
		},
		async close() {
			stdin.end();
			await exited;
			transport.onclose?.();
		},
	};
	return transport;
}

function runInProcess(words: readonly string[], env: Env): Server {
	const stdin = new PassThrough();
	return {stdin, ...runHere(['mcp', ...words], env, stdin)};
}

/** A service that strays from the documented one, and an assistant on it. */
export async function startAssisted(t: TestContext, options: LiveLikeServiceOptions = {}, assistant: AssistantOptions = {}) {
	const place = await startLiveLike(t, options);
	return {...place, ...(await connectAssistant(t, place.env, assistant))};
}

export type Message = {
	readonly id?: number | string | null;
	readonly result?: {
		readonly isError?: boolean;
		readonly structuredContent?: unknown;
		readonly content?: ReadonlyArray<{readonly text: string}>;
	};
	readonly error?: {readonly code: number};
};

/** A server without a client, in this process or as the built program: what a test writes is what it reads. */
export function startServer(t: TestContext, env: Env, {isProcess = false} = {}) {
	const {stdin, stdout, stderr, exited, kill, closeOutput} = isProcess ? spawnCommand(['mcp'], env) : runInProcess([], env);
	t.after(() => kill(isProcess ? 'SIGKILL' : 'SIGTERM'));
	const messages: Message[] = [];
	const lines = createInterface({input: stdout});
	lines.on('error', () => undefined);
	lines.on('line', line => {
		messages.push(parseJson(line) as Message);
	});
	const ended = Promise.all([text(stderr), exited] as const);
	return {
		stdin,
		messages,
		kill,
		closeOutput,
		write(...written: ReadonlyArray<object | string>) {
			stdin.write(written.map(line => `${typeof line === 'string' ? line : JSON.stringify({jsonrpc: '2.0', ...line})}\n`).join(''));
		},
		/** Resolves with the next message on standard output. */
		async next(): Promise<Message> {
			const [line] = (await once(lines, 'line')) as [string];
			return parseJson(line) as Message;
		},
		/** Resolves once the program has ended and everything that it wrote is read. */
		async ended() {
			const [said, exitCode] = await ended;
			return {exitCode, stderr: said, messages};
		},
	};
}

/** How a client of 2025 opens the connection, as request 0. */
export const opening: readonly object[] = [
	{id: 0, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'tests', version: '1'}}},
	{method: 'notifications/initialized'},
];

export function callOf(id: number, name: string, given: object = {}): object {
	return {id, method: 'tools/call', params: {name, arguments: given}};
}
