/**
The characters that take one column each and form no cluster with each other, as in the brackets of a regular expression: letters and signs,
and the lines, arrows and squares that the screens are made of.
*/
export const narrowCharacters = String.raw` -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u257F\u25A0-\u25FC`;

const anythingElse = new RegExp(String.raw`[^\n\u001B${narrowCharacters}]|\u001B(?!\[[\d;]*m)`);

/** Tells whether a text has only such characters, line breaks, and SGR, which takes no column. */
export function isNarrow(text: string): boolean {
	return !anythingElse.test(text);
}
