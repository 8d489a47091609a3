import {type Buffer} from 'node:buffer';
import {compress, type Coding} from './content-coding.ts';

/** A list as it is sent. */
export type ListText = {
	readonly version: string;
	readonly bytes: Buffer;
	/** The same compressed, which is done at the first call and kept. */
	compressed(coding: Coding): Promise<Buffer>;
};

type Kept = {readonly text: ListText; bytes: number};

/** The lists that were sent last, within a number of bytes: what nobody has asked for longest goes first. */
export type ListCache = {
	find(key: string, version: string): ListText | undefined;
	/** Makes a text of bytes and keeps it, instead of the version before. */
	add(key: string, version: string, bytes: Buffer): ListText;
};

export const createListCache = (maximumBytes: number): ListCache => {
	// A map keeps the order in which keys are added, so the first is the oldest.
	const kept = new Map<string, Kept>();
	let total = 0;

	const remove = (key: string): void => {
		total -= kept.get(key)?.bytes ?? 0;
		kept.delete(key);
	};

	const grow = (entry: Kept, bytes: number): void => {
		entry.bytes += bytes;
		total += bytes;
		for (const key of kept.keys()) {
			if (total <= maximumBytes) {
				break;
			}

			remove(key);
		}
	};

	return {
		find(key, version) {
			const entry = kept.get(key);
			if (entry?.text.version !== version) {
				return undefined;
			}

			kept.delete(key);
			kept.set(key, entry);
			return entry.text;
		},
		add(key, version, bytes) {
			const results = new Map<Coding, Promise<Buffer>>();
			const make = async (coding: Coding): Promise<Buffer> => {
				const result = await compress(bytes, coding);
				if (kept.get(key) === entry) {
					grow(entry, result.length);
				}

				return result;
			};

			const text: ListText = {
				version,
				bytes,
				async compressed(coding) {
					const result = results.get(coding) ?? make(coding);
					results.set(coding, result);
					return result;
				},
			};
			const entry: Kept = {text, bytes: 0};
			remove(key);
			kept.set(key, entry);
			grow(entry, bytes.length);
			return text;
		},
	};
};
