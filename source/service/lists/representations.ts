import type {Buffer} from 'node:buffer';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzip} from 'node:zlib';
import {limitConcurrency} from '../../platform/turns.ts';

/** The codings for lists, the best first. */
const codings = ['br', 'gzip'] as const;

export type Coding = (typeof codings)[number];

/** Returns the weight of each coding in `Accept-Encoding`; the default weight is 1. */
const readWeights = (header: string): ReadonlyMap<string, number> =>
	new Map(
		header
			.toLowerCase()
			.split(',')
			.map(element => {
				const [coding = '', ...parameters] = element.split(';').map(part => part.trim());
				const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
				return [coding, weight === undefined ? 1 : Number(weight) || 0];
			}),
	);

/**
Returns the best coding among those that a client accepts (RFC 9110, section 12.5.3).

@returns `undefined` for the plain content, also for a client that accepts nothing.
*/
export function chooseCoding(header: string | undefined): Coding | undefined {
	if (header === undefined) {
		return undefined;
	}

	const weights = readWeights(header);
	const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
	const [best] = codings.toSorted((first, second) => weightOf(second) - weightOf(first));
	const isAccepted = best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0);
	return isAccepted ? best : undefined;
}

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
	br: async bytes =>
		promisify(brotliCompress)(bytes, {params: {[constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length}}),
	gzip: async bytes => promisify(gzip)(bytes, {level: 1}),
};

/** All other work needs the processors, too. */
const oneAtATime = limitConcurrency(1);

/** Compresses quickly rather than well: other requests are answered meanwhile. */
export async function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
	return oneAtATime(async () => compressors[coding](bytes));
}

/** Returns the entity tag of a list; each coding is a separate representation with a separate tag (RFC 9110, section 8.8.3.3). */
export function entityTag(version: string, mark: string, coding?: Coding): string {
	return `"${version}-${mark}${coding === undefined ? '' : `-${coding}`}"`;
}

/** The text between the quotes cannot contain one (RFC 9110, section 8.8.3). */
const tags = /(?:W\/)?(?<tag>"[^"]*")/g;

/**
Finds the tag of a list, in any coding, in an `If-None-Match`.

@returns `undefined` if the client has another list, or none.
*/
export function findMatch(header: string | undefined, version: string, mark: string): string | undefined {
	if (header === undefined) {
		return undefined;
	}

	const own = [undefined, ...codings].map(coding => entityTag(version, mark, coding));
	if (header.trim() === '*') {
		return own[0];
	}

	const sent = new Set([...header.matchAll(tags)].map(match => match.groups?.['tag']));
	return own.find(tag => sent.has(tag));
}
