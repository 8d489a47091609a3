import {type Buffer} from 'node:buffer';
import {type Readable, type Writable} from 'node:stream';
import {
	serializeMessage,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type Transport,
} from '@modelcontextprotocol/server';
import {SwitchboardError} from '../../interface/errors.ts';
import {createLineReader, type Line} from './line-reader.ts';
import {createPendingRequests} from './pending-requests.ts';

/** No state with the prompts of all agents is near it. */
const maximumMessageBytes = 10 * 1024 * 1024;

export type StreamTransport = Transport & {
	/** Takes no further message. The connection closes once every request that came is answered. */
	readonly endInput: () => void;
	/** Resolves when the connection is closed. Rejects with `too-large` if a message was. */
	readonly closed: Promise<void>;
};

/**
The protocol over a pair of streams, a message a line. The transport of the SDK drops the calls in progress when its input ends; this one
answers them first: a write that was sent should not lose its outcome, and `printf … | switchboard mcp` should print something.

@param onLost - gets a request, and its answer that could not be written.
*/
export const createStreamTransport = (input: Readable, output: Writable, onLost: (request: JSONRPCRequest, answer: JSONRPCMessage) => void): StreamTransport => {
	const reader = createLineReader(maximumMessageBytes);
	const pending = createPendingRequests();
	const {promise: closed, resolve, reject} = Promise.withResolvers<void>();
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
		if (isEnded && pending.isEmpty()) {
			close();
		}
	};

	const handle = (line: Line): void => {
		if ('error' in line) {
			output.write(`${JSON.stringify(line.error)}\n`);
			transport.onerror?.(new Error(line.error.error.message));
			return;
		}

		pending.noteReceived(line.message);
		transport.onmessage?.(line.message);
	};

	const read = (chunk: Buffer): void => {
		try {
			for (const line of reader.add(chunk)) {
				handle(line);
			}
		} catch (error) {
			if (!(error instanceof RangeError)) {
				throw error;
			}

			close(new SwitchboardError('too-large', `A message on standard input is longer than ${maximumMessageBytes / 1024 / 1024} MiB.`));
		}
	};

	/** The last line may lack its end. */
	const finishInput = (): void => {
		for (const line of reader.end()) {
			handle(line);
		}

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
		reader.clear();
		closeIfDone();
	};

	const transport: StreamTransport = {
		closed,
		endInput,
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

			const request = pending.requestOf(message);
			await new Promise<void>(written => {
				// The listener for errors closes the connection if it cannot be written.
				output.write(serializeMessage(message), error => {
					if (error && request !== undefined) {
						onLost(request, message);
					}

					written();
				});
			});
			pending.noteSent(message);
			closeIfDone();
		},
		async close() {
			close();
		},
	};
	return transport;
};
