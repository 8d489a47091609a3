import {Buffer} from 'node:buffer';
import {METHODS} from 'node:http';
import type {Random} from '../targets.ts';
import type {DocumentedOperation} from '../../helpers/openapi-operations.ts';
import {randomBody} from './hostile-bodies.ts';
import {idNameOf, type Ids, pick, randomId} from './hostile-values.ts';

/** The bytes of a request. */
export type HostileRequest = {
	readonly bytes: Buffer;
	/** True if more was announced than is sent. */
	readonly isCutOff: boolean;
};

export type Target = {readonly key: string; readonly ids: Ids};

const oddPaths = [
	'%00',
	'%ED%A0%80',
	'%E0%A4%A',
	'%',
	'%2e%2e%2f',
	'1%001',
	'x'.repeat(101),
	'x'.repeat(9000),
	'１',
	'1.0',
	'1/2',
	'//',
	';1',
	'*',
];

const oddQueries = ['?a=%00', '?a=%ED%A0%80', '?%', '?__proto__=1', `?a=${'x'.repeat(9000)}`, '#x', '?a[]=1&a[]=2'];

const oddHeaders = [
	'If-None-Match: *',
	`If-None-Match: ${'"x", '.repeat(2000)}`,
	'If-None-Match: W/"',
	'Range: bytes=0-1',
	'Expect: 100-continue',
	'Expect: the-impossible',
	'Upgrade: websocket\r\nConnection: Upgrade',
	'Accept: text/html',
	'Accept-Encoding: gzip',
	'X-Forwarded-For: 1.2.3.4',
	'Authorization: Bearer \u{E9}',
	'Broken header line',
	': no name',
	'X-Bad: a\0b',
	`X-Long: ${'x'.repeat(20_000)}`,
	Array.from({length: 300}, (_value, index) => `X-${index}: y`).join('\r\n'),
	'Content-Length: 5',
	'Content-Length: -1',
	'Content-Length: 99999999999999999999',
	'Transfer-Encoding: chunked',
	'Transfer-Encoding: nonsense',
	'Host: other',
];

const versions = ['1.1', '1.1', '1.0', '2.0', '9', 'x'];

const oddKeys = [undefined, '', 'sb_wrong', '\u{E9}\u{FF}', 'x'.repeat(7000)];

/** What can be wrong with a request, and how often. Fields and zips are met last, and so are chosen most often. */
const weights = {fields: 4, zip: 4, body: 2, path: 1, header: 1, method: 1, key: 1, framing: 1, nothing: 2, all: 1};

type Aspect = keyof typeof weights;

const aspects = Object.entries(weights).flatMap(([name, weight]) => Array.from({length: weight}, () => name as Aspect));

/** A request for one of the operations with one thing wrong with it, or everything, or nothing. */
export function randomRequest(random: Random, operations: readonly DocumentedOperation[], target: Target): HostileRequest {
	const aspect = pick(random, aspects);
	const isOdd = (name: Aspect): boolean => aspect === name || (aspect === 'all' && random(3) === 0);
	// What takes a form is chosen more often: most of what can be wrong is wrong there.
	const operation = pick(
		random,
		operations.flatMap(each => ('multipart/form-data' in each.bodies ? [each, each, each, each] : [each])),
	);
	const body = randomBody(random, operation, target, {hasOddFields: isOdd('fields'), hasOddZip: isOdd('zip'), isBroken: isOdd('body')});
	const key = isOdd('key') ? pick(random, oddKeys) : target.key;
	const isFramingOdd = isOdd('framing');
	const header = isOdd('header') ? pick(random, oddHeaders) : undefined;
	const method = isOdd('method') ? pick(random, [...METHODS, 'NONSENSE', 'get']) : operation.method;
	const lines = [
		`${method} ${pathOf(random, operation, target, isOdd('path'))} HTTP/${isFramingOdd ? pick(random, versions) : '1.1'}`,
		...(isFramingOdd && random(3) === 0 ? [] : ['Host: service']),
		'Connection: close',
		...(key === undefined ? [] : [`X-API-KEY: ${key}`]),
		...(header === undefined ? [] : [header]),
	];
	const surplus = isFramingOdd && random(2) === 0 ? 1 + random(50) : 0;
	const isChunked = body !== undefined && random(8) === 0;
	const content = body?.content ?? Buffer.alloc(0);
	const framing =
		body === undefined
			? []
			: [`Content-Type: ${body.type}`, isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${content.length + surplus}`];
	const head = `${[...lines, ...framing].join('\r\n')}\r\n\r\n`;
	const lastChunk = content.length === 0 ? '' : '0\r\n\r\n';
	const sent = isChunked
		? Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from(`\r\n${lastChunk}`)])
		: content;
	const bytes = Buffer.concat([Buffer.from(head, 'latin1'), sent]);
	// The service is not left to wait for what was announced wrongly.
	return isFramingOdd && random(3) === 0
		? {bytes: bytes.subarray(0, random(bytes.length)), isCutOff: true}
		: {bytes, isCutOff: (body !== undefined && surplus > 0) || /^(?:Content-Length|Transfer-Encoding|Upgrade|Expect)/.test(header ?? '')};
}

function pathOf(random: Random, {path}: DocumentedOperation, {ids}: Target, isOdd: boolean): string {
	const hasOddId = isOdd && random(2) === 0;
	const filled = path.replace(/\{(?<name>\w+)\}/, (_whole, name: string) =>
		hasOddId ? pick(random, oddPaths) : encodeURIComponent(randomId(random, idNameOf(name), ids)),
	);
	return !isOdd || (hasOddId && filled !== path)
		? filled
		: pick(random, [
				filled.replace(/\/$/, ''),
				`${filled}/`,
				`/${filled}`,
				filled.toUpperCase(),
				`${filled}%00`,
				'*',
				'https://elsewhere.example/',
				`/${'x'.repeat(20_000)}`,
				...oddQueries.map(query => filled + query),
			]);
}
