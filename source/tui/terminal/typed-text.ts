import {Buffer} from 'node:buffer';
import {cleanLines} from '../../interface/clean-text.ts';
import {characterKey, type Key} from './key.ts';

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

// Unicode's own carrier for a mark that stands alone; nothing composes with it.
const markCarrier = '\u{25CC}';

/**
A typed character as a key; none where it is invisible or no character at all. Vowel signs and other marks are pressed
one by one in many scripts, so a lone mark is a key like any other.
*/
const keyOfGrapheme = (grapheme: string): Key | undefined => {
	const text = cleanLines(markCarrier + grapheme).slice(markCarrier.length);
	return text === '' || text.includes('\u{FFFD}') ? undefined : characterKey(text);
};

/** Bytes, one UTF-16 unit each, as text; what is no UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (bytes: string): string => new TextDecoder('utf-8', {ignoreBOM: true}).decode(Uint8Array.from(bytes, byte => byte.codePointAt(0)!));

/** How many bytes at the end begin a character whose other bytes have not come. */
export const incompleteTailLength = (bytes: string): number => {
	for (let length = 1; length <= Math.min(3, bytes.length); length++) {
		const byte = bytes.codePointAt(bytes.length - length)!;
		if (byte >= 0xC0) {
			return length < (byte >= 0xF0 ? 4 : (byte >= 0xE0 ? 3 : 2)) ? length : 0;
		}

		if (byte < 0x80) {
			return 0;
		}
	}

	return 0;
};

/** Pictures grow by what follows: a joiner and another picture, a skin tone, the other half of a flag. */
const mayContinue = (grapheme: string): boolean => /[\p{Extended_Pictographic}\p{Regional_Indicator}\u{200D}]/u.test(grapheme);

/**
Graphemes as they are typed. Unicode joins signs that stand before a number or a letter, such as U+0600, to whatever
follows them (UAX #29, GB9b): a space is a key all the same, and what is no character takes no other with it.
*/
const splitGraphemes = (text: string): readonly string[] =>
	text.split(/(?<alone>[ \u{FFFD}])/u).flatMap(part => [...graphemes.segment(part)].map(({segment}) => segment));

export type TypedText = {
	readonly keys: readonly Key[];
	/** Bytes used; the others wait for more. */
	readonly usedLength: number;
};

/**
The keys of a run of text bytes without control characters: one for each grapheme cluster.

@param isOpen - True where more of the run may follow, so that a cluster that may grow has to wait.
*/
export const readTypedText = (bytes: string, isOpen: boolean): TypedText => {
	const completeLength = bytes.length - (isOpen ? incompleteTailLength(bytes) : 0);
	const clusters = splitGraphemes(decodeUtf8(bytes.slice(0, completeLength)));
	const last = clusters.at(-1);
	const heldLength = isOpen && last !== undefined && mayContinue(last) ? Buffer.byteLength(last) : 0;
	const ready = heldLength === 0 ? clusters : clusters.slice(0, -1);
	return {
		keys: ready.map(cluster => keyOfGrapheme(cluster)).filter(key => key !== undefined),
		usedLength: completeLength - heldLength,
	};
};
