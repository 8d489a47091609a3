import {
	characterKey,
	chordKey,
	controlKey,
	noModifiers,
	type Key,
} from './key.ts';
import {
	altModifier,
	keysResult,
	scanEscape,
	type ScanResult,
} from './escape-scanner.ts';
import {incompleteTailLength, readTypedText} from './typed-text.ts';

/** C0 control characters and DEL. Source: the ASCII table; Control takes the upper bits of a letter away. */
const keyOfControlCharacter = (byte: string): Key => {
	switch (byte) {
		// In the cooked terminal of the first moments Enter arrives as a line feed.
		case '\n':
		case '\r': {
			return controlKey('enter');
		}

		case '\t': {
			return controlKey('tab');
		}

		case '\b':
		case '\u{7F}': {
			return controlKey('backspace');
		}

		case '\0': {
			return chordKey(' ', {...noModifiers, hasCtrl: true});
		}

		default: {
			return chordKey(String.fromCodePoint(byte.codePointAt(0)! + 0x40).toLowerCase(), {...noModifiers, hasCtrl: true});
		}
	}
};

/**
Reads what stands at the front of bytes from the keyboard.

@param bytes - One UTF-16 unit for each byte, at least one.
*/
export const scanKeys = (bytes: string): ScanResult => {
	// The eight-bit forms of ESC [ and its relatives, in UTF-8.
	const eightBit = /^\u{C2}(?<code>[\u{80}-\u{9F}])/u.exec(bytes)?.groups?.['code'];
	if (eightBit !== undefined) {
		const scanned = scanEscape('\u{1B}' + String.fromCodePoint(eightBit.codePointAt(0)! - 0x40) + bytes.slice(2));
		return scanned.kind === 'partial' ? {kind: 'partial', isTyped: false} : scanned;
	}

	if (bytes.startsWith('\u{1B}')) {
		return scanEscape(bytes);
	}

	if (bytes < ' ' || bytes.startsWith('\u{7F}')) {
		return keysResult(1, keyOfControlCharacter(bytes[0]!));
	}

	// Up to the next control character, or the next eight-bit one.
	const [run] = /^(?:(?!\u{C2}[\u{80}-\u{9F}])[ -~\u{80}-\u{FF}])+/u.exec(bytes)!;
	if (run.length === 1 && run < '\u{80}') {
		return keysResult(1, characterKey(run));
	}

	const {keys: typed, usedLength} = readTypedText(run, run.length === bytes.length);
	return usedLength === 0 ? {kind: 'partial', isTyped: incompleteTailLength(run) === 0} : {kind: 'keys', keys: typed, length: usedLength};
};

/** What was meant by bytes after which nothing more came. */
export const keysAtTimeout = (bytes: string): readonly Key[] => {
	const scanned = scanKeys(bytes);
	if (scanned.kind !== 'partial') {
		return scanned.kind === 'keys' ? scanned.keys : [];
	}

	if (!scanned.isTyped) {
		return [];
	}

	const [first, second] = bytes;
	if (first !== '\u{1B}') {
		return readTypedText(bytes, false).keys;
	}

	return second === undefined
		? [controlKey('escape')]
		: second === '\u{1B}' ? [controlKey('escape'), ...keysAtTimeout(bytes.slice(1))] : [chordKey(second, altModifier)];
};
