import {Buffer} from 'node:buffer';
import {
	chordKey,
	controlKey,
	noModifiers,
	type Key,
} from './key.ts';
import {keyOfControlSequence, keyOfSingleShift} from './key-sequences.ts';
import {decodeUtf8, incompleteTailLength} from './typed-text.ts';

/** What stands at the front of the bytes that have come. */
export type ScanResult =
	| {readonly kind: 'keys'; readonly keys: readonly Key[]; readonly length: number}
	/** A bracketed paste begins behind these bytes. */
	| {readonly kind: 'paste'; readonly length: number}
	/** An answer of the terminal begins behind these bytes, up to its terminator. */
	| {readonly kind: 'answer'; readonly length: number}
	/** More bytes are needed. Where `isTyped`, what came may as well be all there is: Escape, Alt+[. */
	| {readonly kind: 'partial'; readonly isTyped: boolean};

/** Keys read from so many bytes; none where those stand for nothing. */
export const keysResult = (length: number, ...pressed: ReadonlyArray<Key | undefined>): ScanResult => ({kind: 'keys', keys: pressed.filter(key => key !== undefined), length});

export const altModifier = {...noModifiers, hasAlt: true};

const altKey = (byte: string): Key => byte === '\u{7F}' || byte === '\b'
	? controlKey('backspace', altModifier)
	: byte === '\r' || byte === '\n' ? controlKey('enter', altModifier) : chordKey(byte, altModifier);

/** Nothing that is a key is longer; a line that sends more than this without an end sends noise. */
const longestSequence = 256;

/** A CSI sequence from behind its introducer; reports of the old mouse protocol bring three more bytes. */
const controlSequence = /^(?:\[?[0-?]*[ -/]*[@-Z\\-~]|\d{1,2}\$|\[)/;

const scanControlSequence = (bytes: string, start: number): ScanResult => {
	const rest = bytes.slice(start, start + longestSequence);
	const partial = /^\[?[0-?]*[ -/]*/.exec(rest)![0];
	const [sequence] = /^\d{1,2}\$/.exec(rest) ?? controlSequence.exec(rest) ?? [];
	if (sequence === undefined || (sequence === '[' && partial.length === rest.length)) {
		return partial.length === rest.length && rest.length < longestSequence
			? {kind: 'partial', isTyped: rest === ''}
			// Broken off by a control character, which is then a key of its own.
			: keysResult(start + partial.length);
	}

	const end = start + sequence.length;
	if (sequence === '200~') {
		return {kind: 'paste', length: end};
	}

	if (sequence === 'M') {
		const report = bytes.slice(end, end + 3);
		return /^[ -\u{FF}]{3}/u.test(report) ? keysResult(end + 3) : (/^[ -\u{FF}]*$/u.test(report) ? {kind: 'partial', isTyped: false} : keysResult(end));
	}

	return keysResult(end, keyOfControlSequence(sequence));
};

const scanSingleShift = (bytes: string, start: number): ScanResult => {
	const [sequence] = /^\d*[a-z]/i.exec(bytes.slice(start, start + 8)) ?? [];
	if (sequence !== undefined) {
		return keysResult(start + sequence.length, keyOfSingleShift(sequence));
	}

	return /^\d*$/.test(bytes.slice(start)) ? {kind: 'partial', isTyped: start === bytes.length} : keysResult(start, chordKey('O', altModifier));
};

/** First payload characters of the answers that terminals give, by introducer: anything else was typed with Alt held. */
const answerStarts: ReadonlyMap<string, RegExp> = new Map([
	['P', /^[\d!$+<->]/],
	[']', /^[\dl]/i],
	['_', /^G/],
]);

/** Many terminals say Alt by one more ESC: Alt+Up is ESC ESC [ A. Any other pair begins with a press of Escape. */
const scanEscapePair = (bytes: string): ScanResult => {
	if (bytes.length === 2) {
		return {kind: 'partial', isTyped: true};
	}

	const inner = bytes[2] === '[' || bytes[2] === 'O' ? scanEscape(bytes.slice(1)) : undefined;
	if (inner?.kind === 'partial') {
		return inner;
	}

	const key = inner?.kind === 'keys' ? inner.keys[0] : undefined;
	return inner?.kind !== 'keys' || key === undefined || key.name.includes('alt+')
		? keysResult(1, controlKey('escape'))
		: keysResult(1 + inner.length, {name: key.name.replace(/^(?:ctrl\+)?/, '$&alt+'), text: '', sequence: ''});
};

/** An answer of the terminal, told by how its payload begins; anything else was typed with Alt held. */
const scanAnswer = (bytes: string, payloadStart: RegExp): ScanResult => {
	const third = bytes[2];
	if (third === undefined) {
		return {kind: 'partial', isTyped: true};
	}

	return payloadStart.test(third) ? {kind: 'answer', length: 2} : keysResult(2, chordKey(bytes[1]!, altModifier));
};

/** A character that is not ASCII, typed with Alt held. */
const scanAltCharacter = (bytes: string): ScanResult => {
	const [character] = /^[\u{80}-\u{FF}]{1,4}/u.exec(bytes.slice(1))!;
	if (1 + character.length === bytes.length && incompleteTailLength(character) === character.length) {
		return {kind: 'partial', isTyped: false};
	}

	const [decoded = '\u{FFFD}'] = decodeUtf8(character);
	return decoded === '\u{FFFD}' ? keysResult(1, controlKey('escape')) : keysResult(1 + Buffer.byteLength(decoded), chordKey(decoded, altModifier));
};

/** What begins with ESC. */
export const scanEscape = (bytes: string): ScanResult => {
	const second = bytes[1];
	if (second === undefined) {
		return {kind: 'partial', isTyped: true};
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

	const payloadStart = answerStarts.get(second);
	if (payloadStart !== undefined) {
		return scanAnswer(bytes, payloadStart);
	}

	if (second >= '\u{80}') {
		return scanAltCharacter(bytes);
	}

	// Control characters act by themselves after an Escape, Ctrl+C above all.
	return second >= ' ' || '\b\r\n'.includes(second) ? keysResult(2, altKey(second)) : keysResult(1, controlKey('escape'));
};
