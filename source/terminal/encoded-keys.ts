import {hasBit} from './key.ts';

/*
Keys as terminals encode them on a program's request (kitty's protocol, xterm's modifyOtherKeys, tmux with `extended-keys always`), perhaps
left on by a program that crashed. Each is read as the bytes that it usually sends, so the screens and the prompts of commands know no other
names of keys: Ctrl+[ is Escape, Ctrl+M is Enter. Some examples:

- `CSI 99;5u`, `CSI 27;5;99~`: Ctrl+C, the byte 3
- `CSI 49:33;2u`: `!`, Shift+1 with the character that it types
- `CSI 13;1:3u`: Enter is let go, no bytes
- `CSI 57419u`: Up of the keypad, `CSI A`
*/

/** Kitty's codes of the keypad, from 57399: a character, or a sequence up to its modifiers and after them. */
const keypad: ReadonlyArray<string | readonly [string, string]> = [
	...'0123456789./*-+\r=,',
	...[...'DCAB'].map(letter => ['1', letter] as const),
	['5', '~'],
	['6', '~'],
	['1', 'H'],
	['1', 'F'],
	['2', '~'],
	['3', '~'],
];

const firstKeypadCode = 57_399;

/** Bits of the modifiers. Super, hyper and meta have no bytes; the lock of digits changes nothing here. */
const shift = 1;

const alt = 2;

const control = 4;

const others = [8, 16, 32];

const capsLock = 64;

const kittyKey =
	/^(?<code>\d{1,7})(?::(?<shifted>\d{0,7}))?(?::(?<base>\d{0,7}))?(?:;(?<modifiers>\d{0,3})(?::(?<event>\d))?(?:;[\d:]*)?)?u$/;

const xtermKey = /^27;(?<modifiers>\d{1,3});(?<code>\d{1,7})~$/;

/**
Returns the text that an encoded key sends in other terminals, given as its CSI sequence without the introducer: empty if it presses
nothing, such as the release of a key; `undefined` if the sequence is not an encoded key.
*/
export function plainKey(sequence: string): string | undefined {
	const {groups} = kittyKey.exec(sequence) ?? xtermKey.exec(sequence) ?? {};
	if (groups === undefined) {
		return undefined;
	}

	const numberOf = (name: string): number => Number(groups[name] ?? 0);
	const code = numberOf('code');
	const bits = Math.max(0, numberOf('modifiers') - 1);
	if (groups['event'] === '3' || others.some(bit => hasBit(bits, bit))) {
		return '';
	}

	const key = keypad[code - firstKeypadCode];
	if (typeof key === 'object') {
		const modifiers = bits % 8;
		const [start, end] = key;
		return modifiers === 0 ? `\u{1B}[${start === '1' ? '' : start}${end}` : `\u{1B}[${start};${modifiers + 1}${end}`;
	}

	const characters = key ?? charactersOf({code, shifted: numberOf('shifted'), base: numberOf('base'), bits});
	return characters === undefined ? '' : (hasBit(bits, alt) ? '\u{1B}' : '') + characters;
}

type Parts = {
	readonly code: number;
	/** The character with Shift, if the terminal says it. */
	readonly shifted: number;
	/** The character of that key on a Latin layout, if the terminal says it. */
	readonly base: number;
	readonly bits: number;
};

function charactersOf({code, shifted, base, bits}: Parts): string | undefined {
	if (isPlain(code)) {
		return code === 9 && hasBit(bits, shift) ? '\u{1B}[Z' : String.fromCodePoint(code);
	}

	if (!isText(code)) {
		return undefined;
	}

	if (hasBit(bits, control)) {
		return controlCharacterOf(code < 128 || !isText(base) ? code : base);
	}

	const isShifted = hasBit(bits, shift);
	if (isShifted && isText(shifted)) {
		return String.fromCodePoint(shifted);
	}

	const character = String.fromCodePoint(code);
	// The layout decides which character another key types with Shift: only letters are known.
	return isShifted === hasBit(bits, capsLock) ? character : character.toUpperCase();
}

/** Backspace, Tab, Enter, Escape and the other code of Backspace: Shift and Control do not change their bytes. */
const isPlain = (code: number): boolean => [8, 9, 13, 27, 127].includes(code);

const isText = (code: number): boolean =>
	code >= 0x20 && code <= 0x10_ff_ff && !/[\p{Control}\p{Private_Use}\p{Surrogate}]/u.test(String.fromCodePoint(code));

/** Returns the control character of a key; `undefined` if it has none. */
function controlCharacterOf(code: number): string | undefined {
	const character = String.fromCodePoint(code).toUpperCase();
	return /^[ @-_]$/.test(character) ? String.fromCodePoint(character.codePointAt(0)! % 32) : {'/': '\u{1F}', '?': '\u{7F}'}[character];
}

/** Replaces each encoded key in the keyboard's text with its plain text. */
export function withPlainKeys(typed: string): string {
	return typed.replaceAll(/\u{1B}\[(?<sequence>[\d:;]+[u~])/gu, (whole, sequence: string) => plainKey(sequence) ?? whole);
}
