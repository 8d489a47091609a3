import {finished, type Readable, type Writable} from 'node:stream';
import {
	isJSONRPCRequest,
	isSpecType,
	ProtocolError,
	ProtocolErrorCode,
	serializeMessage,
	specTypeSchemas,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type RequestId,
	type StandardSchemaV1Sync,
	type Transport,
} from '@modelcontextprotocol/server';
import {SwitchboardError, withoutFailing} from '../../interface/errors.ts';

/** A state with the prompts of all agents is far smaller. */
const maximumMebibytes = 10;

/** Stays open until the client ends it: there is no answer to wait for. */
const subscription = 'subscriptions/listen';

type StreamOptions = {
	readonly input: Readable;
	readonly output: Writable;
	readonly signal: AbortSignal;
	/** Called with a request and its answer that could not be written. */
	readonly onLost: (request: JSONRPCRequest, answer: JSONRPCMessage) => void;
};

/**
The protocol over a pair of streams, one message a line. `StdioServerTransport` of the SDK drops the calls in progress when its input ends,
the last line if nothing ends it, and lines that are not messages. This one answers them: a sent write must not lose its outcome, `printf …
| switchboard mcp` must print its answer, and no client may wait for an answer that never comes.
*/
export class StreamTransport implements Transport {
	onmessage: Transport['onmessage'];
	onerror: Transport['onerror'];
	onclose: Transport['onclose'];
	readonly #options: StreamOptions;
	/** Unanswered requests. A request that the client cancels gets no answer. */
	readonly #pending = new Map<RequestId | undefined, JSONRPCRequest>();
	readonly #closing = Promise.withResolvers<void>();
	#rest = '';
	#isEnded = false;
	#isClosed = false;

	constructor(options: StreamOptions) {
		this.#options = options;
	}

	/**
	Resolves when every request before the end of the input is answered, or the client has gone; rejects with `too-large` if a message was
	too large.
	*/
	get closed(): Promise<void> {
		return this.#closing.promise;
	}

	async start(): Promise<void> {
		const {input, output, signal} = this.#options;
		// A client that no longer reads has gone.
		output.on('error', () => void this.close());
		input.setEncoding('utf8').on('data', this.#read);
		finished(input, {writable: false, signal}, error => {
			if (!error) {
				this.#handle(this.#rest);
			}

			this.#endInput();
		});
	}

	async send(message: JSONRPCMessage): Promise<void> {
		const {output, onLost} = this.#options;
		const id = 'method' in message ? undefined : message.id;
		const request = this.#pending.get(id);
		await new Promise<void>(written => {
			// The listener for errors closes the connection if it cannot be written.
			output.write(serializeMessage(message), error => {
				if (error && request !== undefined) {
					onLost(request, message);
				}

				written();
			});
		});
		this.#pending.delete(id);
		this.#closeIfDone();
	}

	async close(): Promise<void> {
		if (!this.#isClosed) {
			this.#isClosed = true;
			this.#endInput();
			this.#closing.resolve();
			this.onclose?.();
		}
	}

	readonly #read = (chunk: string): void => {
		const lines = (this.#rest + chunk).split('\n');
		this.#rest = lines.pop()!;
		for (const line of lines) {
			this.#handle(line);
		}

		if (this.#rest.length > maximumMebibytes * 1024 * 1024) {
			this.#closing.reject(new SwitchboardError('too-large', `A message on standard input is longer than ${maximumMebibytes} MB.`));
			void this.close();
		}
	};

	#handle(text: string): void {
		// Drops a byte order mark, too.
		const line = text.trim();
		if (line === '') {
			return;
		}

		const value = parse(line);
		const mistake = findMistake(value);
		if (mistake !== undefined) {
			this.#refuse(value, mistake);
			return;
		}

		const message = value as JSONRPCMessage;
		if (isJSONRPCRequest(message) && message.method !== subscription) {
			this.#pending.set(message.id, message);
		} else if ('method' in message && message.method === 'notifications/cancelled') {
			this.#pending.delete(message.params?.['requestId'] as RequestId | undefined);
		}

		this.onmessage?.(message);
	}

	/** Answers a line with an error, as in section 5.1 of JSON-RPC 2.0. */
	#refuse(value: unknown, mistake: ProtocolError): void {
		const {id} = (value ?? {}) as {readonly id?: unknown};
		const {code, message} = mistake;
		const answer = {jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error: {code, message}};
		this.#options.output.write(`${JSON.stringify(answer)}\n`);
		if (!isSpecType.JSONRPCMessage(value)) {
			this.onerror?.(mistake);
		}
	}

	#endInput(): void {
		this.#isEnded = true;
		this.#rest = '';
		this.#options.input.off('data', this.#read).pause();
		this.#closeIfDone();
	}

	#closeIfDone(): void {
		if (this.#isEnded && this.#pending.size === 0) {
			void this.close();
		}
	}
}

const parse = (line: string): unknown => withoutFailing<unknown>(() => JSON.parse(line));

/** The SDK checks the parameters of these too late, and calls a mistake in them an internal error. */
const requestSchemas: ReadonlyMap<string, StandardSchemaV1Sync> = new Map<string, StandardSchemaV1Sync>([
	['initialize', specTypeSchemas.InitializeRequest],
	['tools/list', specTypeSchemas.ListToolsRequest],
]);

/** Returns the mistake in a line that is not a valid message; `undefined` if it is one. */
function findMistake(value: unknown): ProtocolError | undefined {
	if (value === undefined) {
		return new ProtocolError(ProtocolErrorCode.ParseError, 'This line is not valid JSON.');
	}

	if (!isSpecType.JSONRPCMessage(value)) {
		return new ProtocolError(ProtocolErrorCode.InvalidRequest, 'This is not a JSON-RPC 2.0 message.');
	}

	const schema = isJSONRPCRequest(value) ? requestSchemas.get(value.method) : undefined;
	const issue = schema?.['~standard'].validate(value).issues?.[0];
	return issue && new ProtocolError(ProtocolErrorCode.InvalidParams, `${(issue.path ?? []).map(String).join('.')}: ${issue.message}`);
}
