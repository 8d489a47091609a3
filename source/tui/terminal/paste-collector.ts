import {cleanInput} from '../../interface/clean-text.ts';
import {decodeUtf8} from './typed-text.ts';

export type Paste = {
	/** Cleaned; line breaks are `\n`. */
	readonly text: string;
	/** As it came, hidden characters and all; line breaks are `\n`. */
	readonly raw: string;
	readonly isTruncated: boolean;
};

export type PasteCollector = {
	/** Adds bytes of the paste. Returns the bytes after its end marker once that has arrived. */
	add(bytes: string): string | undefined;
	/** Returns the text pasted so far, and starts over. */
	finish(): Paste;
};

const endMarker = '\u{1B}[201~';
const maximumPasteBytes = 1024 * 1024;

/** The number of bytes at the end that may begin the end marker. */
const markerTailLength = (bytes: string): number => {
	for (let length = Math.min(endMarker.length - 1, bytes.length); length > 0; length--) {
		if (endMarker.startsWith(bytes.slice(-length))) {
			return length;
		}
	}

	return 0;
};

/** Collects a bracketed paste, whose markers may arrive split; bytes are given one UTF-16 unit each. */
export const createPasteCollector = (): PasteCollector => {
	let parts: string[] = [];
	let length = 0;
	let tail = '';

	const keep = (bytes: string): void => {
		const kept = bytes.slice(0, Math.max(0, maximumPasteBytes - length));
		length += bytes.length;
		if (kept !== '') {
			parts.push(kept);
		}
	};

	return {
		add(bytes) {
			const known = tail + bytes;
			const end = known.indexOf(endMarker);
			if (end !== -1) {
				tail = '';
				keep(known.slice(0, end));
				return known.slice(end + endMarker.length);
			}

			const keptLength = known.length - markerTailLength(known);
			tail = known.slice(keptLength);
			keep(known.slice(0, keptLength));
			return undefined;
		},
		finish() {
			const raw = decodeUtf8(parts.join('')).replaceAll(/\r\n?/g, '\n');
			const text = cleanInput(raw.replaceAll('\u{FFFD}', ''), Infinity);
			const isTruncated = length > maximumPasteBytes;
			parts = [];
			length = 0;
			tail = '';
			return {text, raw, isTruncated};
		},
	};
};
