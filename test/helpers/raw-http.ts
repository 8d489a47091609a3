import {addTo, Buffer, connect, once, type Socket} from './node.ts';

/** An answer as it stood on the line. */
export type RawAnswer = {readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer};

const emptyLine = Buffer.from('\r\n\r\n');

/** Opens a connection, which the server may close at any time. */
export async function openSocket(baseAddress: string, options: {readonly localAddress?: string} = {}): Promise<Socket> {
	const {hostname, port} = new URL(baseAddress);
	const socket = connect({...options, host: hostname, port: Number(port)});
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

/**
Sends bytes over a connection of their own, and waits until the server closes it.

@param isCutOff - true to end our side after the bytes: the server then knows that no more will come.
@returns its answers; none if it closed the connection without one.
*/
export async function exchange(baseAddress: string, bytes: Uint8Array | string, {isCutOff = false} = {}): Promise<readonly RawAnswer[]> {
	const socket = await openSocket(baseAddress);
	const received: Buffer[] = [];
	// The server may answer and close before it has taken all: what it sent counts.
	socket.on('data', addTo(received));
	const closed = new Promise(resolve => {
		socket.once('close', resolve);
	});
	socket.write(bytes);
	if (isCutOff) {
		socket.end();
	}

	const overdue = setTimeout(() => {
		socket.destroy();
	}, 20_000);
	await closed;
	clearTimeout(overdue);
	return parseAnswers(Buffer.concat(received), Buffer.from(bytes.slice(0, 5)).toString() === 'HEAD ');
}

/**
Every answer in what a server sent until it closed the connection. Fails if something is neither an answer nor part of one.

@param isHead - true if they are to HEAD: only the first is read, which has no body, whatever it says.
*/
function parseAnswers(bytes: Buffer, isHead: boolean): readonly RawAnswer[] {
	const answers: RawAnswer[] = [];
	for (let rest = bytes; rest.length > 0; ) {
		const end = rest.indexOf(emptyLine);
		const {status, headers} = readHead(rest, end === -1 ? rest.length : end);
		const after = rest.subarray(end === -1 ? rest.length : end + emptyLine.length);
		const isBodiless = isHead || status < 200 || status === 204 || status === 304;
		const {body, length} = isBodiless
			? {body: Buffer.alloc(0), length: 0}
			: headers['transfer-encoding'] === 'chunked'
				? unchunk(after)
				: {
						body: after.subarray(0, Number(headers['content-length'] ?? after.length)),
						length: Number(headers['content-length'] ?? after.length),
					};
		if (length > after.length) {
			throw new Error(`An answer of ${length} bytes ends after ${after.length}`);
		}

		rest = isHead ? Buffer.alloc(0) : after.subarray(length);
		if (status >= 200) {
			answers.push({status, headers, body});
		}
	}

	return answers;
}

function readHead(bytes: Buffer, end: number): Pick<RawAnswer, 'status' | 'headers'> {
	const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
	const status = Number(/^HTTP\/1\.1 (?<status>\d{3}) /.exec(first)?.groups?.['status']);
	if (Number.isNaN(status)) {
		throw new TypeError(`This is no status line: ${first.slice(0, 200)}`);
	}

	const headers = Object.fromEntries(
		lines.map(line => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
		}),
	);
	return {status, headers};
}

function unchunk(bytes: Buffer): {readonly body: Buffer; readonly length: number} {
	const parts: Buffer[] = [];
	for (let start = 0; ; ) {
		const lineEnd = bytes.indexOf('\r\n', start);
		const size = Number.parseInt(bytes.toString('latin1', start, lineEnd), 16);
		if (lineEnd === -1 || Number.isNaN(size)) {
			throw new Error('The last chunk is missing');
		}

		parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
		start = lineEnd + 2 + size + 2;
		if (size === 0) {
			return {body: Buffer.concat(parts), length: start};
		}
	}
}
