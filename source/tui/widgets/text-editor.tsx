import type {ReactElement} from 'react';
import {Box} from 'ink';
import type {Keymap} from '../../words/keymap.ts';
import type {Key} from '../../terminal/key.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {Lines, lineOf, type Line} from './list.tsx';
import {isTextVerb, type TextAction, type TextEditorState} from '../state/text-editor-state.ts';
import {charactersOf, showCharacter, viewOf, type TextRow, type TextSize} from '../state/text-rows.ts';

const typedByKeys: Readonly<Record<string, string>> = {enter: '\n', tab: '\t'};

/** Keys that some terminals send instead of those in the table. */
const alternatives: Readonly<Record<string, string>> = {'alt+left': 'ctrl+left', 'alt+right': 'ctrl+right', 'alt+backspace': 'ctrl+w'};

/** Returns the verb of a key of the editor; `undefined` for any other key. */
export function textActionOf({name, text}: Key, keymap: Keymap): TextAction | undefined {
	const typed = text === '' ? typedByKeys[name] : text;
	const type = keymap.actionOf(alternatives[name] ?? name, ['text']);
	return typed === undefined ? (type !== undefined && isTextVerb(type) ? {type} : undefined) : {type: 'type', text: typed};
}

export function TextEditor({
	state,
	size,
	isAscii,
}: {
	readonly state: TextEditorState;
	readonly size: TextSize;
	readonly isAscii: boolean;
}): ReactElement {
	const {rows, cursorRow, cursorColumn} = viewOf(state, size);
	return (
		<Box flexDirection="column" height={size.height} flexShrink={0} overflow="hidden">
			<Lines
				lines={rows.map((row, index) =>
					lineOfRow(showRow(state.text, row, index === cursorRow ? cursorColumn : undefined, size, isAscii), index === cursorRow),
				)}
			/>
		</Box>
	);
}

/** The text of a row as it is drawn: before, under and after the cursor. */
type ShownRow = {readonly before: string; readonly under: string; readonly after: string};

function lineOfRow(shown: ShownRow, isCurrent: boolean): Line {
	const {before, under, after} = shown;
	if (!isCurrent) {
		return lineOf([[` ${after}`]], '');
	}

	// A tab has several columns, and the cursor is on the first one.
	const [cursor, rest] = under.startsWith(' ') ? [' ', under.slice(1)] : [under === '' ? ' ' : under, ''];
	return lineOf([[` ${before}`], [withCursor('field', cursor), theme.textCursor], [rest + after]], spoken(shown));
}

/** A screen reader gets only the row of the cursor. A bar marks the cursor in it, unless it is at the end. */
function spoken({before, under, after}: ShownRow): string {
	const rest = under + after;
	return spokenRow(true, rest.trim() === '' ? (before.trim() === '' ? 'empty line' : before) : `${before}|${rest}`);
}

/**
@param cursor - the column of the cursor; `undefined` if it is in another row.
@param isAscii - true if an ellipsis is one dot, as three would hide letters that are being edited.
*/
function showRow(text: string, row: TextRow, cursor: number | undefined, {width}: TextSize, isAscii: boolean): ShownRow {
	const shown = {before: '', under: '', after: ''};
	let column = 0;
	for (const character of charactersOf(text.slice(row.start, row.end))) {
		const {text: drawn, columns} = showCharacter(isAscii && character === '…' ? '.' : character, column);
		const isUnder = cursor !== undefined && cursor >= column && cursor < column + columns;
		const place = isUnder ? 'under' : cursor !== undefined && column < cursor ? 'before' : 'after';
		// A tab at the end of a row may reach beyond it.
		shown[place] += column + columns > width + 1 ? drawn.slice(0, width + 1 - column) : drawn;
		column += columns;
	}

	return shown;
}
