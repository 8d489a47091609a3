import {Buffer} from 'node:buffer';
import {hash} from 'node:crypto';
import {setImmediate} from 'node:timers/promises';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzip} from 'node:zlib';
import {limitConcurrency} from '../platform/turns.ts';
import type {Caller} from './callers.ts';
import type {Listed, ListName} from './store/changes.ts';

/** For all lists that are kept to be sent again. */
const cacheBytes = 64 * 1024 * 1024;

/** Simultaneous reads; each takes several times the memory of its list, for rows, records and text. */
const readsAtOnce = 4;

/** Records that are written at once: about a millisecond's work. */
const recordsAtOnce = 500;

/** One way to answer a list of an account. */
export type ListForm = {
	/** Unique among the forms. */
	readonly name: string;
	/** The list whose version the answer has. */
	readonly list: ListName;
	/** Changes with the form of the records, which another version of the program may write differently. */
	readonly mark: string;
	/** Reads the records as they are answered, with the version that they belong to. */
	readonly read: (accountId: number) => Promise<Listed<object>>;
	/** The text before the records and the text after them. */
	readonly frame: readonly [before: string, after: string];
};

/** @param schema - of the answer. */
export function createListForm(schema: object, form: Omit<ListForm, 'mark' | 'frame'> & Partial<Pick<ListForm, 'frame'>>): ListForm {
	return {frame: ['[', ']'], ...form, mark: hash('sha256', JSON.stringify(schema)).slice(0, 8)};
}

type ListText = {readonly version: string; readonly bytes: Buffer};

/** Returns a cache of the texts sent last, limited in bytes: the least recently used text is evicted first. */
export function createTextCache(maximumBytes: number) {
	// A map keeps the order in which keys are added, so the first is the oldest.
	const kept = new Map<string, ListText>();
	let total = 0;

	const remove = (key: string): void => {
		total -= kept.get(key)?.bytes.length ?? 0;
		kept.delete(key);
	};

	return {
		find(key: string, version: string): ListText | undefined {
			const text = kept.get(key);
			if (text?.version !== version) {
				return undefined;
			}

			kept.delete(key);
			kept.set(key, text);
			return text;
		},
		/** Keeps a text in place of the text of an earlier version. */
		add(key: string, text: ListText): ListText {
			remove(key);
			kept.set(key, text);
			total += text.bytes.length;
			for (const oldest of kept.keys()) {
				if (total <= maximumBytes) {
					break;
				}

				remove(oldest);
			}

			return text;
		},
	};
}

/** Reads and compresses lists, and keeps the results to be sent again. Requests for one result share the work. */
export function createLists() {
	const cache = createTextCache(cacheBytes);
	const underWay = new Map<string, Promise<ListText>>();
	const limitReads = limitConcurrency(readsAtOnce);

	const start = async (name: string, key: string, make: () => Promise<ListText>): Promise<ListText> => {
		const result = make()
			.then(text => cache.add(key, text))
			.finally(() => {
				underWay.delete(name);
			});
		underWay.set(name, result);
		return result;
	};

	return {
		/** Returns a list that is at least as new as the caller's key had it. */
		async read(form: ListForm, {accountId, versions}: Caller): Promise<ListText> {
			const key = `${accountId} ${form.name}`;
			const version = versions[form.list];
			const earlier = underWay.get(key);
			// The read may have begun before that version.
			const text = cache.find(key, version) ?? (earlier && (await earlier));
			if (text?.version === version) {
				return text;
			}

			// A read that has begun since then is new enough.
			return (
				underWay.get(key) ??
				start(key, key, async () =>
					limitReads(async () => {
						const {version: current, records} = await form.read(accountId);
						return {version: current, bytes: await writeList(records, form.frame)};
					}),
				)
			);
		},
		/** Returns the bytes of a list in a coding. */
		async compress(form: ListForm, {accountId}: Caller, {version, bytes}: ListText, coding: Coding): Promise<Buffer> {
			const key = `${accountId} ${form.name} ${coding}`;
			const name = `${key} ${version}`;
			const text =
				cache.find(key, version) ??
				(await (underWay.get(name) ?? start(name, key, async () => ({version, bytes: await compress(bytes, coding)}))));
			return text.bytes;
		},
	};
}

/** Writes records as JSON, in steps, so that other requests are answered in between. */
async function writeList(records: readonly object[], [before, after]: ListForm['frame']): Promise<Buffer> {
	const pieces = [Buffer.from(before)];
	for (let start = 0; start < records.length; start += recordsAtOnce) {
		if (start > 0) {
			await setImmediate();
		}

		const text = JSON.stringify(records.slice(start, start + recordsAtOnce)).slice(1, -1);
		pieces.push(Buffer.from(start === 0 ? text : `,${text}`));
	}

	pieces.push(Buffer.from(after));
	return Buffer.concat(pieces);
}

export type Lists = ReturnType<typeof createLists>;

/** The codings for lists, the best first. */
const codings = ['br', 'gzip'] as const;

type Coding = (typeof codings)[number];

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
const compress = async (bytes: Buffer, coding: Coding): Promise<Buffer> => oneAtATime(async () => compressors[coding](bytes));

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
