import {Buffer} from 'node:buffer';
import {
	chordKey,
	controlKey,
	noModifiers,
	type Key,
} from './key.ts';
import {keyOfControlSequence, keyOfSingleShift} from './key-sequences.ts';
import {decodeUtf8, incompleteTailLength} from './typed-text.ts';

/** What the bytes received so far begin with. */
export type ScanResult =
	| {readonly kind: 'keys'; readonly keys: readonly Key[]; readonly length: number}
	/** A bracketed paste begins after these bytes. */
	| {readonly kind: 'paste'; readonly length: number}
	/** The terminal's answer to a status request: it has drawn everything before that. */
	| {readonly kind: 'status'; readonly length: number}
	/** A response of the terminal begins after these bytes and extends to its terminator. */
	| {readonly kind: 'response'; readonly length: number}
	/** More bytes are needed. With `mayBeComplete` these bytes may also be all there are: Escape, Alt+[. */
	| {readonly kind: 'incomplete'; readonly mayBeComplete: boolean};

/** The keys of the first `length` bytes; none if those bytes mean no key. */
export const keysResult = (length: number, ...pressed: ReadonlyArray<Key | undefined>): ScanResult => ({kind: 'keys', keys: pressed.filter(key => key !== undefined), length});

export const altModifier = {...noModifiers, hasAlt: true};

const altKey = (byte: string): Key => {
	if (byte === '\t') {
		return controlKey('tab', altModifier);
	}

	return byte === '\u{7F}' || byte === '\b'
		? controlKey('backspace', altModifier)
		: byte === '\r' || byte === '\n' ? controlKey('enter', altModifier) : chordKey(byte, altModifier);
};

/** No key sequence is longer; more bytes than this without a final one are noise. */
const longestSequence = 256;

/** A CSI sequence after its introducer; reports of the X10 mouse protocol have three more bytes. */
const controlSequence = /^(?:\[?[0-?]*[ -/]*[@-Z\\-~]|\d{1,2}\$|\[)/;

const scanControlSequence = (bytes: string, start: number): ScanResult => {
	const rest = bytes.slice(start, start + longestSequence);
	const partial = /^\[?[0-?]*[ -/]*/.exec(rest)![0];
	const [sequence] = /^\d{1,2}\$/.exec(rest) ?? controlSequence.exec(rest) ?? [];
	if (sequence === undefined || (sequence === '[' && partial.length === rest.length)) {
		return partial.length === rest.length && rest.length < longestSequence
			? {kind: 'incomplete', mayBeComplete: rest === ''}
			// Interrupted by a control character, which is read as a key.
			: keysResult(start + partial.length);
	}

	const end = start + sequence.length;
	if (sequence === '200~') {
		return {kind: 'paste', length: end};
	}

	if (sequence === '0n') {
		return {kind: 'status', length: end};
	}

	if (sequence === 'M') {
		const report = bytes.slice(end, end + 3);
		return /^[ -\u{FF}]{3}/u.test(report) ? keysResult(end + 3) : (/^[ -\u{FF}]*$/u.test(report) ? {kind: 'incomplete', mayBeComplete: false} : keysResult(end));
	}

	return keysResult(end, keyOfControlSequence(sequence));
};

/** Digits and a letter after `ESC O`. */
const longestSingleShift = 8;

const scanSingleShift = (bytes: string, start: number): ScanResult => {
	const rest = bytes.slice(start, start + longestSingleShift);
	const [sequence] = /^\d*[a-z]/i.exec(rest) ?? [];
	if (sequence !== undefined) {
		return keysResult(start + sequence.length, keyOfSingleShift(sequence));
	}

	return rest.length < longestSingleShift && /^\d*$/.test(rest) ? {kind: 'incomplete', mayBeComplete: start === bytes.length} : keysResult(start, chordKey('O', altModifier));
};

/** First payload characters of terminal responses (DCS, OSC, APC) by introducer; anything else was typed with Alt. */
const responseStarts: ReadonlyMap<string, RegExp> = new Map([
	['P', /^[\d!$+<->]/],
	[']', /^[\dl]/i],
	['_', /^G/],
]);

/** Many terminals encode Alt as another ESC: Alt+Up is ESC ESC [ A. Any other pair begins with a press of Escape. */
const scanEscapePair = (bytes: string): ScanResult => {
	if (bytes.length === 2) {
		return {kind: 'incomplete', mayBeComplete: true};
	}

	const inner = bytes[2] === '[' || bytes[2] === 'O' ? scanEscape(bytes.slice(1)) : undefined;
	if (inner?.kind === 'incomplete') {
		return inner;
	}

	const key = inner?.kind === 'keys' ? inner.keys[0] : undefined;
	return inner?.kind !== 'keys' || key === undefined || key.name.includes('alt+')
		? keysResult(1, controlKey('escape'))
		: keysResult(1 + inner.length, {name: key.name.replace(/^(?:ctrl\+)?/, '$&alt+'), text: '', sequence: ''});
};

/** A response of the terminal, recognized by the start of its payload; anything else was typed with Alt. */
const scanResponse = (bytes: string, payloadStart: RegExp): ScanResult => {
	const third = bytes[2];
	if (third === undefined) {
		return {kind: 'incomplete', mayBeComplete: true};
	}

	return payloadStart.test(third) ? {kind: 'response', length: 2} : keysResult(2, chordKey(bytes[1]!, altModifier));
};

/** A non-ASCII character typed with Alt. */
const scanAltCharacter = (bytes: string): ScanResult => {
	const [character] = /^[\u{80}-\u{FF}]{1,4}/u.exec(bytes.slice(1))!;
	if (1 + character.length === bytes.length && incompleteTailLength(character) === character.length) {
		return {kind: 'incomplete', mayBeComplete: false};
	}

	const [decoded = '\u{FFFD}'] = decodeUtf8(character);
	return decoded === '\u{FFFD}' ? keysResult(1, controlKey('escape')) : keysResult(1 + Buffer.byteLength(decoded), chordKey(decoded, altModifier));
};

/** Reads bytes that begin with ESC. */
export const scanEscape = (bytes: string): ScanResult => {
	const second = bytes[1];
	if (second === undefined) {
		return {kind: 'incomplete', mayBeComplete: true};
	}

	if (second === '\u{1B}') {
		return scanEscapePair(bytes);
	}

	if (second === '[') {
		return scanControlSequence(bytes, 2);
	}

	if (second === 'O') {
		return scanSingleShift(bytes, 2);
	}

	const payloadStart = responseStarts.get(second);
	if (payloadStart !== undefined) {
		return scanResponse(bytes, payloadStart);
	}

	if (second >= '\u{80}') {
		return scanAltCharacter(bytes);
	}

	// A control character after Escape is a key of its own, Ctrl+C above all.
	return second >= ' ' || '\b\t\r\n'.includes(second) ? keysResult(2, altKey(second)) : keysResult(1, controlKey('escape'));
};
