import type {Readable, Writable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import {
	deserializeMessage,
	isJSONRPCRequest,
	serializeMessage,
	specTypeSchemas,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type RequestId,
	type StandardSchemaV1,
	type Transport,
} from '@modelcontextprotocol/server';
import {revealLine} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';

/** A line that is not a message. */
class LineError extends Error {
	readonly answer: object;

	constructor(line: unknown, code: number, message: string) {
		super(message);
		this.answer = errorAnswer(line, code, message);
	}
}

/** The SDK checks the parameters of these too late, and calls a mistake in them an internal error. */
const requestSchemas: ReadonlyMap<string, StandardSchemaV1> = new Map<string, StandardSchemaV1>([
	['initialize', specTypeSchemas.InitializeRequest],
	['tools/list', specTypeSchemas.ListToolsRequest],
]);

/** Is open until the client ends it: it has no answer that could be waited for. */
const subscription = 'subscriptions/listen';

/** No state with the prompts of all agents is near it. */
const maximumMebibytes = 10;

/**
Returns the protocol over a pair of streams, a message a line. The transport of the SDK drops the calls in progress when its input ends; this one
answers them first: a write that was sent should not lose its outcome, and `printf … | switchboard mcp` should print something.

@param onLost - gets a request, and its answer that could not be written.
@param isTool - tells whether there is a tool of this name.
*/
export function createStreamTransport(
	input: Readable,
	output: Writable,
	{
		onLost,
		isTool,
	}: {readonly onLost: (request: JSONRPCRequest, answer: JSONRPCMessage) => void; readonly isTool: (name: string) => boolean},
) {
	/** Requests that are not answered yet. One that the client cancels gets no answer. */
	const pending = new Map<RequestId | undefined, JSONRPCRequest>();
	const decoder = new StringDecoder('utf8');
	const {promise: closed, resolve, reject} = Promise.withResolvers<void>();
	let rest = '';
	let isEnded = false;
	let isClosed = false;

	const close = (error?: Error): void => {
		if (isClosed) {
			return;
		}

		isClosed = true;
		endInput();
		output.off('error', close);
		transport.onclose?.();
		if (error instanceof SwitchboardError) {
			reject(error);
		} else {
			// A client that no longer reads is gone.
			resolve();
		}
	};

	const closeIfDone = (): void => {
		if (isEnded && pending.size === 0) {
			close();
		}
	};

	const handle = (text: string): void => {
		// A byte order mark goes, too.
		const line = text.trim();
		if (line === '') {
			return;
		}

		try {
			const message = readLine(line);
			const mistake = isJSONRPCRequest(message) ? findMistake(message, isTool) : undefined;
			if (mistake !== undefined) {
				output.write(`${JSON.stringify(errorAnswer(message, -32_602, mistake))}\n`);
				return;
			}

			if (isJSONRPCRequest(message) && message.method !== subscription) {
				pending.set(message.id, message);
			} else if ('method' in message && message.method === 'notifications/cancelled') {
				pending.delete(message.params?.['requestId'] as RequestId | undefined);
			}

			transport.onmessage?.(message);
		} catch (error) {
			if (!(error instanceof LineError)) {
				throw error;
			}

			output.write(`${JSON.stringify(error.answer)}\n`);
			transport.onerror?.(error);
		}
	};

	const read = (chunk: Uint8Array): void => {
		const lines = (rest + decoder.write(chunk)).split('\n');
		rest = lines.pop()!;
		for (const line of lines) {
			handle(line);
		}

		if (rest.length > maximumMebibytes * 1024 * 1024) {
			close(new SwitchboardError('too-large', `A message on standard input is longer than ${maximumMebibytes} MiB.`));
		}
	};

	/** The last line may lack its end. */
	const finishInput = (): void => {
		handle(rest);
		endInput();
	};

	const endInput = (): void => {
		if (isEnded) {
			return;
		}

		isEnded = true;
		input.off('data', read);
		input.off('end', finishInput);
		input.off('close', endInput);
		input.off('error', endInput);
		input.pause();
		rest = '';
		closeIfDone();
	};

	const transport: Transport = {
		async start() {
			input.on('data', read);
			input.on('end', finishInput);
			input.on('close', endInput);
			input.on('error', endInput);
			output.on('error', close);
		},
		async send(message) {
			if (isClosed) {
				return;
			}

			const id = 'method' in message ? undefined : message.id;
			const request = pending.get(id);
			await new Promise<void>(written => {
				// The listener for errors closes the connection if it cannot be written.
				output.write(serializeMessage(message), error => {
					if (error && request !== undefined) {
						onLost(request, message);
					}

					written();
				});
			});
			pending.delete(id);
			closeIfDone();
		},
		async close() {
			close();
		},
	};
	return {
		transport,
		/** Takes no further message. The connection closes once every request that came is answered. */
		endInput,
		/** Resolves when the connection is closed. Rejects with `too-large` if a message was. */
		closed,
	};
}

function readLine(text: string): JSONRPCMessage {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new LineError(undefined, -32_700, 'This line is not valid JSON.');
	}

	try {
		return deserializeMessage(text);
	} catch {
		throw new LineError(value, -32_600, 'This is not a JSON-RPC 2.0 message.');
	}
}

/** Says why the parameters of a request do not fit; `undefined` if they do. */
function findMistake(request: JSONRPCRequest, isTool: (name: string) => boolean): string | undefined {
	const {method, params} = request;
	const name = params?.['name'];
	if (method === 'tools/call' && typeof name === 'string' && !isTool(name)) {
		// The SDK finds among its tools what every object inherits, such as “constructor”.
		return `Tool ${revealLine(name, 100)} not found`;
	}

	const result = requestSchemas.get(method)?.['~standard'].validate(request);
	const issue = result === undefined || result instanceof Promise ? undefined : result.issues?.[0];
	return issue && `${(issue.path ?? []).map(String).join('.')}: ${issue.message}`;
}

/** Returns an error as JSON-RPC 2.0 answers a line (section 5.1). */
function errorAnswer(line: unknown, code: number, message: string): object {
	const {id} = (line ?? {}) as {readonly id?: unknown};
	return {jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error: {code, message}};
}
