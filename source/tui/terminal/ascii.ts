import stringWidth from 'string-width';
import {normalizeText} from '../../interface/normalize-text.ts';

const lookalikes: ReadonlyArray<readonly [characters: string, ascii: string]> = [
	['‘’‚‛′', '\''],
	['“”„‟″«»', '"'],
	['‐‑‒–—―−─━┄┅┈┉╌╍╴╶╸╺', '-'],
	['│┃┆┇┊┋╎╏║╵╷╹╻▏▎▍▌▐', '|'],
	['┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╂╋╭╮╯╰╔╗╚╝╠╣╦╩╬', '+'],
	['═', '='],
	['…·․', '.'],
	['•●◉◆■◼★⏺', '*'],
	['○◌◯□◇☆°', 'o'],
	['✓✔', 'v'],
	['✗✘✕✖×', 'x'],
	['█▓▒░▇▆▅▄▃▂▁▀', '#'],
	['→▶▸▷❯›⟩', '>'],
	['←◀◂◁❮‹⟨', '<'],
	// The arrows of a sorted column are those of Midnight Commander: ^ has another meaning.
	['↑', '\''],
	['↓', ','],
	['▲▴△', '^'],
	['▼▾▽', 'v'],
	['↵⏎', '<'],
	['\u{A0}\u{2007}\u{202F}', ' '],
];

const asciiByCharacter = new Map(lookalikes.flatMap(([characters, ascii]) => [...characters].map(character => [character, ascii] as const)));

/**
The nearest printable ASCII for a grapheme cluster, as many characters as the cluster has columns: a lookalike, the
letter without its accent, else `?`.
*/
export const toAscii = (grapheme: string, width: number): string => {
	if (/^[ -~]$/.test(grapheme)) {
		return grapheme;
	}

	// Most progress spinners use Braille.
	const near = asciiByCharacter.get(grapheme) ?? (/^[\u{2800}-\u{28FF}]$/u.test(grapheme) ? '*' : undefined);
	const letter = near ?? normalizeText(grapheme, 'NFKD').replaceAll(/\p{Mark}/gu, '');
	return (/^[ -~]$/.test(letter) ? letter : '?').padEnd(width, near ?? '?').slice(0, width);
};

const segmenter = new Intl.Segmenter();

/** Converts a text to printable ASCII of the same width; line breaks, tabs and styles are kept. */
export const toAsciiText = (text: string): string => /^[\t\n\u{1B} -~]*$/u.test(text)
	? text
	: [...segmenter.segment(text)].map(({segment}) => /^[\t\n\u{1B}]$/u.test(segment) ? segment : toAscii(segment, stringWidth(segment))).join('');
