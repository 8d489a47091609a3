import {Buffer} from 'node:buffer';
import {deserializeMessage, type JSONRPCMessage, type RequestId} from '@modelcontextprotocol/server';

/** The error for a line that is not a message, as JSON-RPC 2.0 wants it (section 5.1). */
export type LineError = {
	readonly jsonrpc: '2.0';
	/** Null where none can be read. */
	readonly id: RequestId | null;
	readonly error: {readonly code: number; readonly message: string};
};

export type Line = {readonly message: JSONRPCMessage} | {readonly error: LineError};

const lineError = (id: RequestId | null, code: number, message: string): Line => ({error: {jsonrpc: '2.0', id, error: {code, message}}});

const idOf = (value: unknown): RequestId | null => {
	const {id} = (value ?? {}) as {readonly id?: unknown};
	return typeof id === 'string' || typeof id === 'number' ? id : null;
};

const readLine = (text: string): Line => {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return lineError(null, -32_700, 'This line is not valid JSON.');
	}

	try {
		return {message: deserializeMessage(text)};
	} catch {
		return lineError(idOf(value), -32_600, 'This is not a JSON-RPC 2.0 message.');
	}
};

const newline = 0x0A;

/** Cuts what comes into messages, one a line. Empty lines count for nothing. */
export const createLineReader = (maximumBytes: number) => {
	let rest: Buffer = Buffer.alloc(0);

	const take = (bytes: Buffer): readonly Line[] => {
		const text = bytes.toString().trim();
		return text === '' ? [] : [readLine(text)];
	};

	return {
		/**
		@yields the lines that it ends.
		@throws RangeError if a line is too long.
		*/
		* add(chunk: Buffer): Generator<Line, void, void> {
			if (rest.length + chunk.length > maximumBytes) {
				throw new RangeError('A line is too long.');
			}

			rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
			for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
				const line = rest.subarray(0, end);
				rest = rest.subarray(end + 1);
				yield * take(line);
			}
		},
		/** The last line, which nothing ended. */
		end: () => take(rest),
		clear() {
			rest = Buffer.alloc(0);
		},
	};
};
