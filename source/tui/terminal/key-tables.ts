/** Final letters of CSI and SS3 that stand for a key: xterm, and the Linux console's application mode. */
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

/** Numbers before `~` (or rxvt's `^`, `$`, `@`). 1 and 4 are the VT220's Home and End, 7 and 8 rxvt's. */
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

/** The keypad in application mode sends SS3 and a letter for what its key caps say. */
export const keypadCharacterByLetter = new Map([...'jklmnopqrstuvwxy'].map((letter, index) => [letter, '*+,-./0123456789'[index]!]));

/** Code points of the kitty keyboard protocol for keys that have a shorter name. Source: its page "Functional key definitions". */
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

export const keypadCharacterByCodePoint = new Map([...'0123456789./*-+'].map((character, index) => [57_399 + index, character]));

export const controlKeyByCodePoint = new Map<number, 'enter' | 'tab' | 'backspace' | 'escape'>([
	[8, 'backspace'],
	[9, 'tab'],
	[13, 'enter'],
	[27, 'escape'],
	[127, 'backspace'],
	[57_414, 'enter'],
]);
