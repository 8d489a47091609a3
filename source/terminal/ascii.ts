import stringWidth from 'string-width';
import {normalizeText} from '../interface/clean-text.ts';

const lookalikes: ReadonlyArray<readonly [characters: string, ascii: string]> = [
	['‘’‚‛′', "'"],
	['“”„‟″«»', '"'],
	['‐‑‒–—―−─━┄┅┈┉╌╍╴╶╸╺', '-'],
	['│┃┆┇┊┋╎╏║╵╷╹╻▏▎▍▌▐', '|'],
	['┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╂╋╭╮╯╰╔╗╚╝╠╣╦╩╬', '+'],
	['═', '='],
	['·․', '.'],
	['•●◉◆■◼★⏺', '*'],
	['○◌◯□◇☆°', 'o'],
	['✓✔', 'v'],
	['✗✘✕✖×', 'x'],
	['█▓▒░▇▆▅▄▃▂▁▀', '#'],
	['→▶▸▷❯›⟩', '>'],
	['←◀◂◁❮‹⟨', '<'],
	// The arrows of a sorted column are those of Midnight Commander, as ^ has another meaning.
	['↑', "'"],
	['↓', ','],
	['▲▴△', '^'],
	['▼▾▽', 'v'],
	['↵⏎', '<'],
	['\u{A0}\u{2007}\u{202F}', ' '],
];

/** Writes each ellipsis as three dots, in a text that may get longer. */
export function withLongDots(text: string): string {
	return text.replaceAll('…', '...');
}

const asciiByCharacter = new Map(
	lookalikes.flatMap(([characters, ascii]) => [...characters].map(character => [character, ascii] as const)),
);

const segmenter = new Intl.Segmenter();

/**
An ellipsis becomes three dots in a line with styles, if they can use blanks behind it or behind the text that it begins, or the end of the
text that it cuts. Elsewhere it becomes one dot, so that nothing moves.
*/
const ellipses = new RegExp(
	[
		'(?<style>SGR)',
		'… {2}(?= |$)',
		String.raw`[^\s\u{1B}](?<inner>(?:SGR)*)[^\n\u{1B}](?<outer>(?:SGR)*)…(?! {2}(?: |$))`,
		String.raw`…(?<rest>\S*(?: \S+)*) {2}(?= )`,
		'…$',
		'(?<alone>…)',
	]
		.join('|')
		.replaceAll('SGR', String.raw`\u{1B}\[[\d;]*m`),
	'gmu',
);

/** Converts a text to printable ASCII; columns, line breaks, tabs and styles are kept. */
export function toAsciiText(text: string): string {
	return /^[\t\n\u{1B} -~]*$/u.test(text)
		? text
		: withTextDots(
				[...segmenter.segment(text)]
					.map(({segment}) => (/^[\t\n\u{1B}…]$/u.test(segment) ? segment : toAscii(segment, stringWidth(segment))))
					.join(''),
			);
}

const withTextDots = (text: string): string =>
	text.replaceAll(ellipses, (...found) => {
		const {style, inner = '', outer = '', rest = '', alone} = found.at(-1) as Record<string, string | undefined>;
		return style ?? (alone === undefined ? `${inner}${outer}...${rest}` : '.');
	});

/**
Returns the nearest printable ASCII for a grapheme cluster, as many characters as the cluster has columns: a lookalike, the letter without
its accent, or `?`.
*/
function toAscii(grapheme: string, width: number): string {
	if (/^[ -~]$/.test(grapheme)) {
		return grapheme;
	}

	// Most progress spinners use Braille.
	const near = asciiByCharacter.get(grapheme) ?? (/^[\u{2800}-\u{28FF}]$/u.test(grapheme) ? '*' : undefined);
	const letter = near ?? normalizeText(grapheme, 'NFKD').replaceAll(/\p{Mark}/gu, '');
	return (/^[ -~]$/.test(letter) ? letter : '?').padEnd(width, near ?? '?').slice(0, width);
}
