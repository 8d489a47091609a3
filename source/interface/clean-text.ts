/**
Whole escape sequences. String sequences (OSC, DCS, SOS, PM, APC) run to their terminator or, without one, to the end:
their payload is not text. Source: ECMA-48, sections 5.4, 5.6 and 8.3.
*/
export const escapeSequences =
	/(?:\u{1B}[PX\]^_]|[\u{90}\u{98}\u{9D}-\u{9F}])[\s\S]*?(?:\u{7}|\u{1B}\\|\u{9C}|$)|(?:\u{1B}\[|\u{9B})[0-?]*[ -/]*[@-~]?|\u{1B}[ -/]*[0-~]?/gu;

const lineBreaksAndTabs = /\r\n|[\t\n\v\f\r\u{85}\u{2028}\u{2029}]/gu;

const controlCharacters = /\p{Control}/gu;

const controlCharactersButNewline = /(?!\n)\p{Control}/gu;

/**
Direction marks and overrides, zero-width and other invisible characters, variation selectors, tags: everything that Unicode says is
invisible (the property's list grows with it), and annotation anchors. Joiners have a separate rule.
*/
export const invisibleCharacters = /(?![\u{200C}\u{200D}])\p{Default_Ignorable_Code_Point}|[\u{FFF9}-\u{FFFB}]/gu;

/** The scripts that are spelled with joiners. */
const joiningScripts = [
	'Arabic',
	'Bengali',
	'Devanagari',
	'Gujarati',
	'Gurmukhi',
	'Kannada',
	'Khmer',
	'Malayalam',
	'Mongolian',
	'Myanmar',
	'Oriya',
	'Sinhala',
	'Syriac',
	'Tamil',
	'Telugu',
	'Tibetan',
]
	.map(script => String.raw`\p{Script=${script}}`)
	.join('');

/**
Joiners are kept only inside a word of such a script. Elsewhere they are invisible in a name, and terminals disagree on the
width of joined emoji.
*/
const strayJoiners = new RegExp(String.raw`(?<![${joiningScripts}])[\u{200C}\u{200D}]+|[\u{200C}\u{200D}]+(?![\p{Letter}\p{Mark}])`, 'gu');

/** Marks without a letter before them on the line, and more on one letter than any script uses. */
const strayMarks = /^[\p{Mark}\u{200C}\u{200D}]+|(?<=[\p{Mark}\u{200C}\u{200D}]{4})[\p{Mark}\u{200C}\u{200D}]+/gmu;

/** A mark on a space at the start would combine with whatever is before the text. */
const strayStart = /^[\s\p{Mark}\u{200C}\u{200D}]+/u;

/**
Most texts need no cleaning: letters of large scripts, each composed already, and common punctuation. Cleaning takes a hundred times as long
as this check.
*/
const plainText =
	/^[\n -~\u{A1}-\u{AC}\u{AE}-\u{2FF}\u{388}-\u{3CE}\u{400}-\u{482}\u{2010}-\u{2027}\u{3001}-\u{3029}\u{3041}-\u{3096}\u{30A1}-\u{30FC}\u{4E00}-\u{9FFF}\u{AC00}-\u{D7A3}]*$/u;

const secrets = new Map<string, string>();

/**
Hides a secret from now on in every text that is cleaned: cleaning can join the parts of a secret that invisible characters separated.
*/
export function hideInCleanedTexts(secret: string, replacement: string): void {
	secrets.set(secret, replacement);
}

const ellipsis = '…';

/** The ellipsis does not follow half a character or a joiner. */
const brokenEnds: ReadonlySet<string | undefined> = new Set(['\u{200C}', '\u{200D}', '\u{FFFD}']);

/**
Returns text from outside made safe for one line of a terminal: escape sequences, control characters, direction overrides and
invisible characters are removed, line breaks become spaces, the ends are trimmed. Takes linear time, whatever the text.

@param maximumLength - UTF-16 units after which the text is cut off, with an ellipsis.
*/
export function cleanText(text: string, maximumLength = 500): string {
	// Text past this is never shown, and a hostile text may be megabytes long.
	const head = text.slice(0, maximumLength * 20);
	if (plainText.test(head)) {
		return capped(head.replaceAll('\n', ' ').trim(), maximumLength);
	}

	const line = head.toWellFormed().replaceAll(escapeSequences, '').replaceAll(lineBreaksAndTabs, ' ');
	return capped(withoutSecrets(withoutHiddenParts(line, controlCharacters).replace(strayStart, '').trimEnd()), maximumLength);
}

function capped(text: string, maximumLength: number): string {
	if (text.length <= maximumLength) {
		return text;
	}

	const head = text.slice(0, maximumLength - 1).toWellFormed();
	let end = head.length;
	// A pattern would start over at each character of a long run.
	while (brokenEnds.has(head[end - 1])) {
		end--;
	}

	return head.slice(0, end) + ellipsis;
}

/** Replaces the secrets that a text spells. */
function withoutSecrets(text: string): string {
	let hidden = text;
	for (const [secret, replacement] of secrets) {
		hidden = hidden.replaceAll(secret, replacement);
	}

	return hidden;
}

const withoutHiddenParts = (text: string, controls: RegExp): string =>
	normalizeText(text.replaceAll(controls, '').replaceAll(invisibleCharacters, ''))
		.replaceAll(strayMarks, '')
		// Last, because marks may have been around a joiner.
		.replaceAll(strayJoiners, '');

/** Cleans lines as `cleanLines` does, for text that a person types or pastes and that may be the secret itself. */
export function cleanInput(text: string, maximumLength = 200_000): string {
	const head = text.slice(0, maximumLength * 2);
	if (plainText.test(head)) {
		return capped(head, maximumLength);
	}

	const lines = head.toWellFormed().replaceAll(escapeSequences, '').replaceAll('\t', '  ').replaceAll(lineBreaksAndTabs, '\n');
	return capped(withoutHiddenParts(lines, controlCharactersButNewline), maximumLength);
}

/**
Returns a text of several lines, such as an agent's prompt, cleaned as by `cleanText`: line breaks are kept (as `\n`), and a tab becomes two
spaces.
*/
export function cleanLines(text: string, maximumLength = 200_000): string {
	return withoutSecrets(cleanInput(text, maximumLength));
}

/** No script puts more marks on one letter (Unicode's Stream-Safe Text Format, UAX #15, section 13). */
const marksAfterTheThirtieth = /(?<kept>\p{Mark}{30})\p{Mark}+/gu;

/**
Returns a text in a normal form of Unicode, in linear time. `normalize` sorts the marks on a letter by comparing each with all before it,
which takes seconds for 20,000 marks; so only the first 30 marks in a row are kept.
*/
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string {
	return text.replaceAll(marksAfterTheThirtieth, '$<kept>').normalize(form);
}

/** Characters that join several into one sign: a heart to its emoji, a digit to its keycap, two people to a couple. */
const partsOfEmoji = String.raw`(?<=\p{Extended_Pictographic})\u{FE0F}|(?<=[\d#*])\u{FE0F}(?=\u{20E3})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{FE0F}?)\u{200D}(?=\p{Extended_Pictographic})`;

/** Characters that no screen shows. Line breaks and tabs are visible by their effect. */
const hiddenCharacters = new RegExp(
	String.raw`(?!\t|\n|\r\n)\p{Control}|[\u{2028}\u{2029}]|\p{Surrogate}|(?!${partsOfEmoji})(?:${invisibleCharacters.source}|${strayJoiners.source})`,
	'gu',
);

/** Tells whether a line has invisible characters. */
export function hasHiddenCharacters(line: string): boolean {
	return /[\t\n\r]/.test(line) || line.replaceAll(hiddenCharacters, '') !== line;
}

/**
Returns text for somebody who decides by reading it: hidden and control characters are written as `\u{200b}` where `cleanText` removes them.
Line breaks and tabs stay.

@param maximumLength - UTF-16 units after which the text is cut off, with an ellipsis.
*/
export function revealText(text: string, maximumLength: number): string {
	const shown = withoutSecrets(
		text.slice(0, maximumLength * 2).replaceAll(hiddenCharacters, run => [...run].map(character => codeOf(character)).join('')),
	);
	return shown.length > maximumLength ? `${shown.slice(0, maximumLength - 1)}…`.toWellFormed() : shown;
}

const codeOf = (character: string): string => String.raw`\u{${character.codePointAt(0)!.toString(16)}}`;

/** Returns one line in this form: line breaks and tabs become spaces. */
export function revealLine(text: string, maximumLength: number): string {
	return revealText(text.slice(0, maximumLength * 2).replaceAll(/[\t\n]|\r\n/g, ' '), maximumLength).trim();
}
