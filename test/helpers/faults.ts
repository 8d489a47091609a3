import {Buffer, type Socket} from './node.ts';
import {gzipSync} from 'node:zlib';
import type {ErrorKind} from '../../source/interface/errors.ts';
import {answering, type Fault} from './fault-relay.ts';

/** How a write ends: carried out, refused, or of unknown outcome. */
export type WriteEnd = 'done' | 'failed' | 'unknown';

export type FaultCase = {
	readonly title: string;
	readonly fault: Fault;
	readonly kind: ErrorKind;
	readonly says: RegExp;
	readonly toggle: WriteEnd;
	readonly upload: WriteEnd;
	/** True if it ends only when the time is up. */
	readonly isSlow?: boolean;
};

/** Does something when the first bytes of each request are there. */
export function onRequest(act: (socket: Socket) => void): Fault {
	return socket => {
		socket.on('data', () => act(socket));
	};
}

/** Does something again and again once the first bytes are there. */
export function every(milliseconds: number, act: (socket: Socket) => void): Fault {
	return socket => {
		socket.once('data', () => {
			const timer = setInterval(() => act(socket), milliseconds);
			socket.on('close', () => clearInterval(timer));
		});
	};
}

const jsonHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const asJson = {'content-type': 'application/json'};

const status = (code: number, body = '', headers: Readonly<Record<string, string>> = asJson): Fault =>
	answering((_request, response) => {
		response.writeHead(code, headers).end(body);
	});

const page = '<!DOCTYPE html><title>Welcome to the hotel</title><p>Sign in to go on.</p>';
const html = {'content-type': 'text/html'};

const inTwoMinutes = (): string => new Date(Date.now() + 120_000).toUTCString();

const refusal = (code: number, kind: ErrorKind, says: RegExp): FaultCase => ({
	title: `HTTP ${code}`,
	fault: status(code),
	kind,
	says,
	toggle: 'failed',
	upload: 'failed',
});

/** A gateway answered, and the service behind it may have carried out what was asked. */
const gateway = (code: number): FaultCase => ({
	...refusal(code, 'server-error', new RegExp(String.raw`The service failed \(HTTP ${code}\)\. Try again in a moment\.`)),
	toggle: 'unknown',
	upload: 'unknown',
});

const lost = /could not be reached: connection lost\. Check the address and the network\./;
const late = /did not answer in time\. Try again, or allow more time with --timeout DURATION\./;
const checkAddress = String.raw`\. Check the address of the service\.`;

type Words = readonly [kind: ErrorKind, says: RegExp];

/** No answer came, or none of a service. */
const unanswered = (title: string, [kind, says]: Words, fault: Fault): FaultCase => ({
	title,
	fault,
	kind,
	says,
	toggle: 'unknown',
	upload: 'unknown',
	...(kind === 'timeout' && {isSlow: true}),
});

const lostWords: Words = ['unreachable', lost];
const lateWords: Words = ['timeout', late];

/** A change is answered with 2xx, whatever else. */
const unreadable = (title: string, says: string, fault: Fault): FaultCase => ({
	title,
	fault,
	kind: 'unintelligible',
	says: new RegExp(`answered with ${says} instead of a list${checkAddress}`),
	toggle: 'done',
	upload: 'done',
});

/** What can go wrong on the line and with the answers, each put on it by a real relay. */
export const faultCases: readonly FaultCase[] = [
	unanswered(
		'a connection that is reset before the answer',
		lostWords,
		onRequest(socket => {
			socket.resetAndDestroy();
		}),
	),
	unanswered(
		'a connection that is closed before the answer',
		lostWords,
		onRequest(socket => {
			socket.end();
		}),
	),
	unanswered(
		'a connection that is reset amid the header',
		lostWords,
		onRequest(socket => {
			socket.write('HTTP/1.1 200 OK\r\nx-', () => {
				socket.resetAndDestroy();
			});
		}),
	),
	unanswered(
		'a connection that is reset amid the answer',
		lostWords,
		onRequest(socket => {
			socket.write(`${jsonHead}content-length: 1000\r\n\r\n[{"id": 1`, () => {
				socket.resetAndDestroy();
			});
		}),
	),
	unanswered(
		'a connection that is closed amid the answer',
		lostWords,
		onRequest(socket => {
			socket.end(`${jsonHead}content-length: 1000\r\n\r\n[{"id": 1`);
		}),
	),
	unanswered(
		'silence',
		lateWords,
		onRequest(() => undefined),
	),
	unanswered(
		'a header that trickles',
		['unintelligible', /does not speak the protocol/],
		every(20, socket => {
			socket.write('H');
		}),
	),
	unanswered('a header that trickles without end', lateWords, socket => {
		socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
		every(20, () => {
			socket.write('x');
		})(socket);
	}),
	unanswered('an answer that trickles without end', lateWords, socket => {
		socket.once('data', () => {
			socket.write(`${jsonHead}transfer-encoding: chunked\r\n\r\n`);
		});
		every(20, () => {
			socket.write('1\r\n \r\n');
		})(socket);
	}),
	...[100, 102, 103].map(code =>
		unanswered(
			`HTTP ${code} again and again`,
			lateWords,
			every(20, socket => {
				socket.write(`HTTP/1.1 ${code} Wait\r\n\r\n`);
			}),
		),
	),
	unanswered(
		'HTTP 101 that switches to another protocol',
		['unintelligible', new RegExp(String.raw`switched to another protocol \(HTTP 101\)${checkAddress}`)],
		onRequest(socket => {
			socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
		}),
	),
	unanswered(
		'a header without end',
		['unintelligible', new RegExp(`sent a header that is too large${checkAddress}`)],
		every(1, socket => {
			socket.write(`HTTP/1.1 200 OK\r\nx-filler: ${'y'.repeat(10_000)}`);
		}),
	),
	unreadable('truncated JSON', String.raw`“\[\{"id": 1,”`, status(200, '[{"id": 1,')),
	unreadable(
		'bytes of another content type',
		'something unreadable',
		status(200, '\u{0}\u{1}\u{7F}', {'content-type': 'application/octet-stream'}),
	),
	unreadable('an empty answer', 'an empty answer', status(200)),
	unanswered(
		'a page with HTTP 200',
		['unintelligible', /answered with a web page instead of a list\. Check the address: a proxy or a sign-in page may be in between\./],
		status(200, page, html),
	),
	{
		...refusal(404, 'not-found', new RegExp(String.raw`The service has no such path \(HTTP 404\)${checkAddress}`)),
		title: 'a page with HTTP 404',
		fault: status(404, page, html),
	},
	unanswered(
		'an answer that is not gzip as it says',
		['unintelligible', /cannot be decompressed \(Z_DATA_ERROR\)\. Check the address: a proxy may be in between\./],
		status(200, 'plain', {'content-encoding': 'gzip'}),
	),
	unanswered(
		'gzip without end',
		['unintelligible', new RegExp(`sent more than 64 MB${checkAddress}`)],
		(() => {
			let bomb: Uint8Array | undefined;
			return answering((_request, response) => {
				bomb ??= gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '));
				response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'}).end(bomb);
			});
		})(),
	),
	{
		title: 'a redirect to another origin',
		fault: status(302, '', {location: 'https://voice.invalid/'}),
		kind: 'unintelligible',
		says: /redirects to https:\/\/voice\.invalid, which is not followed/,
		toggle: 'failed',
		upload: 'failed',
	},
	{
		...refusal(401, 'key-refused', /The service refused the API key. Session ended\. Get a new one in the dashboard/),
		fault: status(401, '{"detail": "Session ended"}'),
	},
	refusal(403, 'forbidden', /does not allow this with your key \(HTTP 403\)\. Use the key of an account that may do this\./),
	{
		...refusal(429, 'rate-limited', /Rate limit exceeded \(HTTP 429\)\. Try again in 90 s\./),
		title: 'HTTP 429 with a number of seconds',
		fault: status(429, '', {'retry-after': '90'}),
	},
	{
		...refusal(429, 'rate-limited', /Rate limit exceeded \(HTTP 429\)\. Try again in 1[12]\d s\./),
		title: 'HTTP 429 with a date',
		fault: answering((_request, response) => {
			response.writeHead(429, {'retry-after': inTwoMinutes()}).end();
		}),
	},
	refusal(500, 'server-error', /The service failed \(HTTP 500\)\. Try again in a moment\./),
	...[502, 503, 504].map(code => gateway(code)),
];
