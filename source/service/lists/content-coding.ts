import {type Buffer} from 'node:buffer';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzip} from 'node:zlib';

/** The codings in which a list can be sent, the best first. */
export const codings = ['br', 'gzip'] as const;

export type Coding = typeof codings[number];

/** Anything smaller is sent as it is: it fits into one packet. */
export const leastCompressedBytes = 1024;

/** The weight of each coding that `Accept-Encoding` names; a coding without one has 1. */
const readWeights = (header: string): ReadonlyMap<string, number> => new Map(header.toLowerCase().split(',').map(element => {
	const [coding = '', ...parameters] = element.split(';').map(part => part.trim());
	const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
	return [coding, weight === undefined ? 1 : Number(weight) || 0];
}));

/**
The coding that a client wants most, of those that it accepts (RFC 9110, section 12.5.3).

@returns `undefined` for the content as it is, which is what a client gets that accepts nothing.
*/
export const chooseCoding = (header: string | undefined): Coding | undefined => {
	if (header === undefined) {
		return undefined;
	}

	const weights = readWeights(header);
	const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
	const [best] = codings.toSorted((first, second) => weightOf(second) - weightOf(first));
	const isAccepted = best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0);
	return isAccepted ? best : undefined;
};

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
	br: async bytes => promisify(brotliCompress)(bytes, {params: {[constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length}}),
	gzip: async bytes => promisify(gzip)(bytes, {level: 1}),
};

/** One at a time: others need the processors, too. */
let last: Promise<unknown> = Promise.resolve();

/** Compresses quickly rather than well: everything else goes on meanwhile. */
export const compress = async (bytes: Buffer, coding: Coding): Promise<Buffer> => {
	const result = last.then(async () => compressors[coding](bytes));
	last = result.catch(() => undefined);
	return result;
};
