import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import type {TestContext} from 'node:test';
import {Client, type ClientOptions, type RequestOptions} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {programFile} from '../helpers/run-command.ts';
import {parseJson} from './served-home.ts';

type Env = Readonly<Record<string, string>>;

export type ToolError = {readonly kind: string; readonly message: string; readonly next_step?: string};

/** What a call returned: its value, and whether it counts as failed. */
export type Returned<Value> = {
	readonly isError: boolean;
	readonly value: Value & {readonly error?: ToolError; readonly notes?: readonly string[]};
};

/** The client of the SDK, connected to the built program. */
export const connectAssistant = async (
	t: TestContext,
	env: Env,
	{words = [], options}: {readonly words?: readonly string[]; readonly options?: ClientOptions} = {},
) => {
	const client = new Client({name: 'tests', version: '1'}, options);
	await client.connect(
		new StdioClientTransport({command: process.execPath, args: [programFile, 'mcp', ...words], env: {...env}, stderr: 'ignore'}),
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
};

export type Message = {
	readonly id?: number | string | null;
	readonly result?: {
		readonly isError?: boolean;
		readonly structuredContent?: unknown;
		readonly content?: ReadonlyArray<{readonly text: string}>;
	};
	readonly error?: {readonly code: number};
};

/** The built program without a client: what a test writes is what it reads. */
export const startServer = (t: TestContext, env: Env, words: readonly string[] = []) => {
	const child = spawn(process.execPath, [programFile, 'mcp', ...words], {env, stdio: 'pipe'});
	t.after(() => child.kill('SIGKILL'));
	child.stdin.on('error', () => undefined);
	const messages: Message[] = [];
	const lines = createInterface({input: child.stdout});
	lines.on('line', line => {
		messages.push(parseJson(line) as Message);
	});
	const ended = Promise.all([text(child.stderr), once(child, 'close')] as const);
	return {
		child,
		messages,
		write(...written: ReadonlyArray<object | string>) {
			child.stdin.write(written.map(line => `${typeof line === 'string' ? line : JSON.stringify({jsonrpc: '2.0', ...line})}\n`).join(''));
		},
		/** Resolves with the next message on standard output. */
		async next(): Promise<Message> {
			const [line] = (await once(lines, 'line')) as [string];
			return parseJson(line) as Message;
		},
		/** Resolves once the program has ended and everything that it wrote is read. */
		async ended() {
			const [stderr, [exitCode, signal]] = (await ended) as [string, [number | null, NodeJS.Signals | null]];
			return {exitCode, signal, stderr, messages};
		},
	};
};

/** How a client of 2025 opens the connection, as request 0. */
export const opening: readonly object[] = [
	{id: 0, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'tests', version: '1'}}},
	{method: 'notifications/initialized'},
];

export const callOf = (id: number, name: string, given: object = {}): object => ({
	id,
	method: 'tools/call',
	params: {name, arguments: given},
});
