/** Keys by the final letter of their CSI or SS3 sequence: xterm, and the Linux console's application mode. */
export const keyNameByFinalLetter = new Map([
	['A', 'up'],
	['B', 'down'],
	['C', 'right'],
	['D', 'left'],
	['F', 'end'],
	['H', 'home'],
	['P', 'f1'],
	['Q', 'f2'],
	['R', 'f3'],
	['S', 'f4'],
]);

/** Keys by the number before `~` (or rxvt's `^`, `$`, `@`). 1 and 4 are Home and End of the VT220, 7 and 8 of rxvt. */
export const keyNameByTildeNumber = new Map([
	[1, 'home'],
	[2, 'insert'],
	[3, 'delete'],
	[4, 'end'],
	[5, 'pageup'],
	[6, 'pagedown'],
	[7, 'home'],
	[8, 'end'],
	[11, 'f1'],
	[12, 'f2'],
	[13, 'f3'],
	[14, 'f4'],
	[15, 'f5'],
	[17, 'f6'],
	[18, 'f7'],
	[19, 'f8'],
	[20, 'f9'],
	[21, 'f10'],
	[23, 'f11'],
	[24, 'f12'],
	[25, 'f13'],
	[26, 'f14'],
	[28, 'f15'],
	[29, 'f16'],
	[31, 'f17'],
	[32, 'f18'],
	[33, 'f19'],
	[34, 'f20'],
]);

/** In application mode the keypad sends SS3 and a letter for each character. */
export const keypadCharacterByLetter = new Map([...'jklmnopqrstuvwxy'].map((letter, index) => [letter, '*+,-./0123456789'[index]!]));

/** Keypad keys of the kitty keyboard protocol by code point. Source: its page "Functional key definitions". */
export const keyNameByCodePoint = new Map([
	[57_417, 'left'],
	[57_418, 'right'],
	[57_419, 'up'],
	[57_420, 'down'],
	[57_421, 'pageup'],
	[57_422, 'pagedown'],
	[57_423, 'home'],
	[57_424, 'end'],
	[57_425, 'insert'],
	[57_426, 'delete'],
]);

/** The kitty keyboard protocol's code points of the keypad's characters. */
export const keypadCharacterByCodePoint = new Map([...'0123456789./*-+'].map((character, index) => [57_399 + index, character]));

/** The keys of ASCII, and kitty's keypad Enter. */
export const controlKeyByCodePoint = new Map<number, 'enter' | 'tab' | 'backspace' | 'escape'>([
	[8, 'backspace'],
	[9, 'tab'],
	[13, 'enter'],
	[27, 'escape'],
	[127, 'backspace'],
	[57_414, 'enter'],
]);
