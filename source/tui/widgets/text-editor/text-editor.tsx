import {type ReactElement} from 'react';
import {Box} from 'ink';
import {ellipsis} from '../../terminal/ascii.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {theme} from '../../theme.ts';
import {Lines} from '../lines.tsx';
import {lineOf, type Line} from '../styled-text.ts';
import {sliceText, type ChunkedText} from './chunked-text.ts';
import {type TextRow} from './rows.ts';
import {charactersOf, showCharacter} from './shown-character.ts';
import {type TextEditorState} from './text-editor-state.ts';
import {viewOf, type TextSize} from './text-view.ts';

/** The text of a row as it is drawn, before, under and after the cursor. */
type ShownRow = {readonly before: string; readonly under: string; readonly after: string};

/**
@param cursor - the column of the cursor; `undefined` if it is in another row.
@param isAscii - true if an ellipsis is one dot: three would hide letters that are being edited.
*/
const showRow = (text: ChunkedText, row: TextRow, cursor: number | undefined, {width}: TextSize, isAscii: boolean): ShownRow => {
	const shown = {before: '', under: '', after: ''};
	let column = 0;
	for (const character of charactersOf(sliceText(text, row.start, row.end))) {
		const {text: drawn, columns} = showCharacter(isAscii && character === ellipsis ? '.' : character, column);
		const isUnder = cursor !== undefined && cursor >= column && cursor < column + columns;
		const place = isUnder ? 'under' : (cursor !== undefined && column < cursor ? 'before' : 'after');
		// A tab at the end of a row may reach beyond it.
		shown[place] += column + columns > width + 1 ? drawn.slice(0, width + 1 - column) : drawn;
		column += columns;
	}

	return shown;
};

/** A screen reader gets the row of the cursor only. A bar shows where in it the cursor is, unless it is at the end. */
const spoken = ({before, under, after}: ShownRow): string => {
	const rest = under + after;
	return spokenRow(true, rest.trim() === '' ? (before.trim() === '' ? 'empty line' : before) : `${before}|${rest}`);
};

const lineOfRow = (shown: ShownRow, isCurrent: boolean): Line => {
	const {before, under, after} = shown;
	if (!isCurrent) {
		return lineOf([[` ${after}`]], '');
	}

	// A tab has several columns, and the cursor is on the first one.
	const [cursor, rest] = under.startsWith(' ') ? [' ', under.slice(1)] : [under === '' ? ' ' : under, ''];
	return lineOf([[` ${before}`], [cursor, theme.textCursor], [rest + after]], spoken(shown));
};

/** The rows of a text that are on the screen, with its cursor. */
export const TextEditor = ({state, size, isAscii}: {readonly state: TextEditorState; readonly size: TextSize; readonly isAscii: boolean}): ReactElement => {
	const {rows, cursorRow, cursorColumn} = viewOf(state, size);
	return (
		<Box flexDirection='column' height={size.height} flexShrink={0} overflow='hidden'>
			<Lines lines={rows.map((row, index) => lineOfRow(showRow(state.text, row, index === cursorRow ? cursorColumn : undefined, size, isAscii), index === cursorRow))}/>
		</Box>
	);
};
