/*
Input methods compose at the terminal's cursor, and braille lines and magnifiers follow it. So a frame marks the cursor's place with a
colour for underlines, which Ink keeps and nothing else here uses. The frame writer removes the marks.
*/

/** If a frame has several places, the last kind in this list wins, and within a kind the upper place. */
const kinds = ['text', 'row', 'field', 'question'] as const;

/** A text that is read, the row that keys act on, the field that they type in, or a question that they answer. */
export type CursorKind = (typeof kinds)[number];

export const cursorKinds: readonly CursorKind[] = kinds.toReversed();

const parametersOf = (kind: CursorKind): string => `58;5;${kinds.indexOf(kind)}`;

export function cursorMark(kind: CursorKind): string {
	return `\u{1B}[${parametersOf(kind)}m`;
}

export const cursorMarkEnd = '\u{1B}[59m';

/** Returns a text with the cursor at its first column. */
export function withCursor(kind: CursorKind, text: string): string {
	return cursorMark(kind) + text + cursorMarkEnd;
}
