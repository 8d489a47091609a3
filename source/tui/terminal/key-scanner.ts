import {controlKeyByCodePoint} from './key-tables.ts';
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

/** C0 control characters and DEL. Source: the ASCII table; Control clears the upper bits of a letter. */
const keyOfControlCharacter = (byte: string): Key => {
	const code = byte.codePointAt(0)!;
	// Until raw mode is on, Enter arrives as a line feed.
	const name = controlKeyByCodePoint.get(byte === '\n' ? 13 : code);
	return name === undefined
		? chordKey(code === 0 ? ' ' : String.fromCodePoint(code + 0x40).toLowerCase(), {...noModifiers, hasCtrl: true})
		: controlKey(name);
};

/**
Reads the first key, or other sequence, of the keyboard's bytes.

@param bytes - One UTF-16 unit per byte, at least one.
*/
export const scanKeys = (bytes: string): ScanResult => {
	// C1 controls, the eight-bit forms of ESC [ and the like, in UTF-8.
	const c1Control = /^\u{C2}(?<code>[\u{80}-\u{9F}])/u.exec(bytes)?.groups?.['code'];
	if (c1Control !== undefined) {
		const scanned = scanEscape('\u{1B}' + String.fromCodePoint(c1Control.codePointAt(0)! - 0x40) + bytes.slice(2));
		return scanned.kind === 'incomplete' ? {kind: 'incomplete', mayBeComplete: false} : scanned;
	}

	if (bytes.startsWith('\u{1B}')) {
		return scanEscape(bytes);
	}

	if (bytes < ' ' || bytes.startsWith('\u{7F}')) {
		return keysResult(1, keyOfControlCharacter(bytes[0]!));
	}

	// Up to the next control character, C0 or C1.
	const [run] = /^(?:(?!\u{C2}[\u{80}-\u{9F}])[ -~\u{80}-\u{FF}])+/u.exec(bytes)!;
	if (run.length === 1 && run < '\u{80}') {
		return keysResult(1, characterKey(run));
	}

	const {keys: typed, usedLength} = readTypedText(run, run.length === bytes.length);
	return usedLength === 0 ? {kind: 'incomplete', mayBeComplete: incompleteTailLength(run) === 0} : {kind: 'keys', keys: typed, length: usedLength};
};

/** The keys of bytes after which nothing more arrived in time. */
export const keysAtTimeout = (bytes: string): readonly Key[] => {
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
		? [controlKey('escape')]
		: second === '\u{1B}' ? [controlKey('escape'), ...keysAtTimeout(bytes.slice(1))] : [chordKey(second, altModifier)];
};
