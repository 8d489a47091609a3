import {Buffer} from 'node:buffer';
import {cleanInput} from '../../interface/clean-text.ts';
import {characterKey, type Key} from './key.ts';

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

// The dotted circle, Unicode's base for showing a mark alone; no mark composes with it.
const markCarrier = '\u{25CC}';

/**
The key of a typed character; `undefined` if the character is invisible or invalid. Vowel signs and other marks are typed
one by one in many scripts, so a lone mark is a key too.
*/
const keyOfGrapheme = (grapheme: string): Key | undefined => {
	const text = cleanInput(markCarrier + grapheme).slice(markCarrier.length);
	return text === '' || text.includes('\u{FFFD}') ? undefined : characterKey(text);
};

/** Decodes bytes, one UTF-16 unit each; invalid UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (bytes: string): string => new TextDecoder('utf-8', {ignoreBOM: true}).decode(Uint8Array.from(bytes, byte => byte.codePointAt(0)!));

/** The number of bytes at the end that begin an incomplete character. */
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

/** No character that means something has more bytes: a longer one does not wait for more. */
const longestCluster = 256;

/** An emoji may continue: with a joiner and another emoji, a skin tone, the other half of a flag. */
const mayContinue = (grapheme: string): boolean => /[\p{Extended_Pictographic}\p{Regional_Indicator}\u{200D}]/u.test(grapheme);

/**
Splits text into graphemes as they are typed. Unicode joins prepended marks, such as U+0600, to whatever follows them
(UAX #29, GB9b); here a space stays a key of its own, and an invalid character affects no other.
*/
const splitGraphemes = (text: string): readonly string[] =>
	text.split(/(?<alone>[ \u{FFFD}])/u).flatMap(part => [...graphemes.segment(part)].map(({segment}) => segment));

export type TypedText = {
	readonly keys: readonly Key[];
	/** The number of bytes read; the others wait for more. */
	readonly usedLength: number;
};

/**
The keys of a run of text bytes without control characters: one per grapheme cluster.

@param isOpen - True if more of the run may follow, so that a cluster that may continue has to wait.
*/
export const readTypedText = (bytes: string, isOpen: boolean): TypedText => {
	const completeLength = bytes.length - (isOpen ? incompleteTailLength(bytes) : 0);
	const clusters = splitGraphemes(decodeUtf8(bytes.slice(0, completeLength)));
	const last = clusters.at(-1);
	const lastLength = isOpen && last !== undefined && mayContinue(last) ? Buffer.byteLength(last) : 0;
	const heldLength = lastLength > longestCluster ? 0 : lastLength;
	const ready = heldLength === 0 ? clusters : clusters.slice(0, -1);
	return {
		keys: ready.map(cluster => keyOfGrapheme(cluster)).filter(key => key !== undefined),
		usedLength: completeLength - heldLength,
	};
};
