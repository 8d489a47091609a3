/*
Input methods compose at the terminal's cursor, braille lines and magnifiers follow it. So a frame says where it belongs: with a colour for
underlines, which Ink keeps and nothing here has. The frame writer takes the marks out.
*/

/** Of several places in a frame, the last kind of these wins, and of two of a kind the upper one. */
const kinds = ['text', 'row', 'question', 'field'] as const;

/** A text that is read, the row that keys act on, a question that they answer, and the field that they type in. */
export type CursorKind = (typeof kinds)[number];

export const cursorKinds: readonly CursorKind[] = kinds.toReversed();

const parametersOf = (kind: CursorKind): string => `58;5;${kinds.indexOf(kind)}`;

export function cursorMark(kind: CursorKind): string {
	return `\u{1B}[${parametersOf(kind)}m`;
}

export const cursorMarkEnd = '\u{1B}[59m';

/** Returns a text at whose first column the cursor belongs. */
export function withCursor(kind: CursorKind, text: string): string {
	return cursorMark(kind) + text + cursorMarkEnd;
}
