import {invisibleCharacters, strayJoiners, withoutSecrets} from './clean-text.ts';

/** What makes one sign of several: a heart its emoji, a digit its keycap, two people a couple. */
const partsOfEmoji = String.raw`(?<=\p{Extended_Pictographic})\u{FE0F}|(?<=[\d#*])\u{FE0F}(?=\u{20E3})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{FE0F}?)\u{200D}(?=\p{Extended_Pictographic})`;

/** What no screen shows. Line breaks and tabs are seen by what they do. */
const hiddenCharacters = new RegExp(
	String.raw`(?!\t|\n|\r\n)\p{Control}|[\u{2028}\u{2029}]|\p{Surrogate}|(?!${partsOfEmoji})(?:${invisibleCharacters.source}|${strayJoiners.source})`,
	'gu',
);

const codeOf = (character: string): string => String.raw`\u{${character.codePointAt(0)!.toString(16)}}`;

/** True if a text of one line has characters that are not seen. */
export const hasHiddenCharacters = (line: string): boolean => /[\t\n\r]/.test(line) || line.replaceAll(hiddenCharacters, '') !== line;

/**
Text for somebody who decides by what is read: hidden and control characters are written as `\u{200b}` where `cleanText` removes them.
Line breaks and tabs stay.

@param maximumLength - UTF-16 units after which the text is cut off, with an ellipsis.
*/
export const revealText = (text: string, maximumLength: number): string => {
	const shown = withoutSecrets(text.slice(0, maximumLength * 2).replaceAll(hiddenCharacters, run => [...run].map(character => codeOf(character)).join('')));
	return shown.length > maximumLength ? `${shown.slice(0, maximumLength - 1)}…`.toWellFormed() : shown;
};

/** The same for one line: line breaks and tabs become spaces. */
export const revealLine = (text: string, maximumLength: number): string => revealText(text.slice(0, maximumLength * 2).replaceAll(/[\t\n]|\r\n/g, ' '), maximumLength).trim();
