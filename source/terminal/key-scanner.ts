import {Buffer} from 'node:buffer';
import {cleanInput} from '../interface/clean-text.ts';
import {plainKey} from './encoded-keys.ts';
import {altKey, characterKey, keyOfControlCharacter, keyOfControlSequence, keyOfSingleShift, namedKey, type Key} from './key.ts';
import {mouseEventOf, type MouseReport} from './mouse.ts';

/*
Reads the bytes of a keyboard, given as one UTF-16 unit each. `emitKeypressEvents` of `node:readline` would type replies of the terminal,
and escape sequences that arrive in parts, as letters.
*/

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

// The dotted circle is Unicode's base for showing a mark by itself; no mark composes with it.
const markCarrier = '\u{25CC}';

/** Decodes bytes, one UTF-16 unit each; invalid UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: string): string {
	return new TextDecoder('utf-8', {ignoreBOM: true}).decode(Buffer.from(bytes, 'latin1'));
}

/** No meaningful character has more bytes: a longer one does not wait for its rest. */
const longestCluster = 256;

/** No key sequence is longer; more bytes than this without a final one are noise. */
const longestSequence = 256;

/** A CSI sequence after its introducer, with its final character; rxvt ends one with `$`. */
const controlSequence = /^(?:\d{1,2}\$|\[?[0-?]*[ -/]*[@-Z\\-~]|\[)/;

/** Digits and a letter after `ESC O`. */
const longestSingleShift = 8;

/** First payload characters of terminal responses (DCS, OSC, APC) by introducer; anything else was typed with Alt. */
const responseStarts: ReadonlyMap<string, RegExp> = new Map([
	['P', /^[\d!$+<->]/],
	[']', /^[\dl]/i],
	['_', /^G/],
]);

/** The beginning of the bytes received so far. */
type Scanned =
	| {readonly kind: 'keys'; readonly keys: readonly Key[]; readonly length: number}
	/** A bracketed paste begins after these bytes. */
	| {readonly kind: 'paste'; readonly length: number}
	| {readonly kind: 'mouse'; readonly mouse: MouseReport; readonly length: number}
	/** The terminal's answer to a status request: it has drawn everything before that. */
	| {readonly kind: 'status'; readonly length: number}
	/** The terminal's response begins after these bytes and extends to its terminator. */
	| {readonly kind: 'response'; readonly length: number}
	/** More bytes are needed. With `mayBeComplete` these bytes may also be the whole input: Escape, Alt+[. */
	| {readonly kind: 'incomplete'; readonly mayBeComplete: boolean};

/** Reads the first key, or other sequence, of at least one byte. */
export function scanKeys(bytes: string): Scanned {
	if (bytes.startsWith('\u{1B}')) {
		return scanEscape(bytes);
	}

	if (bytes < ' ' || bytes.startsWith('\u{7F}')) {
		return keysResult(1, keyOfControlCharacter(bytes[0]!));
	}

	const [run] = /^[ -~\u{80}-\u{FF}]+/u.exec(bytes)!;
	if (run.length === 1 && run < '\u{80}') {
		return keysResult(1, characterKey(run));
	}

	const typed = readTypedText(run, run.length === bytes.length);
	return typed.length === 0 ? incomplete(incompleteTailLength(run) === 0) : typed;
}

function scanEscape(bytes: string): Scanned {
	const [, second, third] = bytes;
	if (second === undefined) {
		return incomplete(true);
	}

	const responseStart = responseStarts.get(second);
	if (responseStart !== undefined) {
		return third === undefined
			? incomplete(true)
			: responseStart.test(third)
				? {kind: 'response', length: 2}
				: keysResult(2, altKey(second));
	}

	switch (second) {
		case '\u{1B}': {
			return scanEscapePair(bytes);
		}

		case '[': {
			return scanControlSequence(bytes);
		}

		case 'O': {
			return scanSingleShift(bytes);
		}

		default: {
			if (second >= '\u{80}') {
				return scanAltCharacter(bytes);
			}

			// A control character after Escape is a separate key, Ctrl+C above all.
			return second >= ' ' || '\b\t\r\n'.includes(second) ? keysResult(2, altKey(second)) : keysResult(1, namedKey('escape'));
		}
	}
}

const incomplete = (mayBeComplete: boolean): Scanned => ({kind: 'incomplete', mayBeComplete});

/** The keys of the first `length` bytes; empty if those bytes mean no key. */
const keysResult = (length: number, key?: Key): Scanned => ({kind: 'keys', keys: key === undefined ? [] : [key], length});

/** Many terminals encode Alt as another ESC: Alt+Up is ESC ESC [ A. Otherwise the first ESC is a press of Escape. */
function scanEscapePair(bytes: string): Scanned {
	if (bytes.length === 2) {
		return incomplete(true);
	}

	const inner = bytes[2] === '[' || bytes[2] === 'O' ? scanEscape(bytes.slice(1)) : undefined;
	if (inner?.kind === 'incomplete') {
		return inner;
	}

	const key = inner?.kind === 'keys' && inner.keys.length === 1 ? inner.keys[0] : undefined;
	return inner?.kind !== 'keys' || key === undefined || key.name.includes('alt+')
		? keysResult(1, namedKey('escape'))
		: keysResult(1 + inner.length, namedKey(key.name.replace(/^(?:ctrl\+)?/, '$&alt+')));
}

function scanControlSequence(bytes: string): Scanned {
	const rest = bytes.slice(2, 2 + longestSequence);
	const partial = /^\[?[0-?]*[ -/]*/.exec(rest)![0];
	const [sequence] = controlSequence.exec(rest) ?? [];
	if (sequence === undefined || (sequence === '[' && partial.length === rest.length)) {
		return partial.length === rest.length && rest.length < longestSequence
			? incomplete(rest === '')
			: // Interrupted by a control character, which is read as a key.
				keysResult(2 + partial.length);
	}

	const length = 2 + sequence.length;
	if (sequence === '200~') {
		return {kind: 'paste', length};
	}

	if (sequence === '0n') {
		return {kind: 'status', length};
	}

	if (sequence === 'M') {
		// Reports of the X10 mouse protocol have three more bytes: a click must not press Space.
		const report = bytes.slice(length, length + 3);
		return /^[ -\u{FF}]{3}/u.test(report) ? keysResult(length + 3) : /^[ -\u{FF}]*$/u.test(report) ? incomplete(false) : keysResult(length);
	}

	const plain = plainKey(sequence);
	if (plain !== undefined) {
		return {kind: 'keys', keys: plain === '' ? [] : keysAtTimeout(Buffer.from(plain).toString('latin1')), length};
	}

	const mouse = mouseEventOf(sequence);
	return mouse === undefined ? keysResult(length, keyOfControlSequence(sequence)) : {kind: 'mouse', mouse, length};
}

function scanSingleShift(bytes: string): Scanned {
	const rest = bytes.slice(2, 2 + longestSingleShift);
	const [sequence] = /^\d*[a-z]/i.exec(rest) ?? [];
	if (sequence !== undefined) {
		return keysResult(2 + sequence.length, keyOfSingleShift(sequence));
	}

	return rest.length < longestSingleShift && /^\d*$/.test(rest) ? incomplete(rest === '') : keysResult(2, altKey('O'));
}

/** Returns a non-ASCII character typed with Alt. */
function scanAltCharacter(bytes: string): Scanned {
	const [character] = /^[\u{80}-\u{FF}]{1,4}/u.exec(bytes.slice(1))!;
	if (1 + character.length === bytes.length && incompleteTailLength(character) === character.length) {
		return incomplete(false);
	}

	const [decoded = '\u{FFFD}'] = decodeUtf8(character);
	return /[\p{Control}\u{FFFD}]/u.test(decoded)
		? keysResult(1, namedKey('escape'))
		: keysResult(1 + Buffer.byteLength(decoded), altKey(decoded));
}

/** The number of bytes at the end that begin an incomplete character. */
const incompleteTailLength = (bytes: string): number =>
	/(?:[\u{C0}-\u{FF}]|[\u{E0}-\u{FF}][\u{80}-\u{BF}]|[\u{F0}-\u{FF}][\u{80}-\u{BF}]{2})$/u.exec(bytes)?.[0].length ?? 0;

/**
Returns the keys of a run of text bytes without control characters: one per grapheme cluster. The bytes beyond `length` wait for more.

@param isOpen - True if more of the run may follow, so that a cluster that may continue has to wait.
*/
function readTypedText(bytes: string, isOpen: boolean) {
	const completeLength = bytes.length - (isOpen ? incompleteTailLength(bytes) : 0);
	const clusters = splitGraphemes(decodeUtf8(bytes.slice(0, completeLength)));
	const last = clusters.at(-1);
	const lastLength = isOpen && last !== undefined && mayContinue(last) ? Buffer.byteLength(last) : 0;
	const isHeld = lastLength > 0 && lastLength <= longestCluster;
	return {
		kind: 'keys' as const,
		keys: (isHeld ? clusters.slice(0, -1) : clusters).flatMap(cluster => keysOfGrapheme(cluster)),
		length: completeLength - (isHeld ? lastLength : 0),
	};
}

/**
Splits text into graphemes as they are typed. Unicode joins prepended marks, such as U+0600, to whatever follows them (UAX #29, GB9b); here
a space stays a separate key, and an invalid character affects no other.
*/
const splitGraphemes = (text: string): readonly string[] =>
	text.split(/(?<alone>[ \u{FFFD}])/u).flatMap(part => [...graphemes.segment(part)].map(({segment}) => segment));

/** An emoji may continue: with a joiner and another emoji, a skin tone, the other half of a flag. */
const mayContinue = (grapheme: string): boolean => /[\p{Extended_Pictographic}\p{Regional_Indicator}\u{200D}]/u.test(grapheme);

/**
Returns the keys of a typed grapheme cluster; none if the character is invisible or invalid. Vowel signs and other marks are typed
one by one in many scripts, so a lone mark is a key too.
*/
function keysOfGrapheme(grapheme: string): readonly Key[] {
	const text = cleanInput(markCarrier + grapheme).slice(markCarrier.length);
	return text === '' || text.includes('\u{FFFD}') ? [] : [characterKey(text)];
}

/** Returns the keys of bytes that were not continued in time. */
export function keysAtTimeout(bytes: string): readonly Key[] {
	const scanned = scanKeys(bytes);
	if (scanned.kind !== 'incomplete') {
		return scanned.kind === 'keys' ? scanned.keys : [];
	}

	if (!scanned.mayBeComplete) {
		return [];
	}

	const [first, second] = bytes;
	if (first !== '\u{1B}') {
		return readTypedText(bytes, false).keys;
	}

	return second === undefined
		? [namedKey('escape')]
		: second === '\u{1B}'
			? [namedKey('escape'), ...keysAtTimeout(bytes.slice(1))]
			: [altKey(second)];
}
