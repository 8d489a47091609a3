import {wrapText} from '../../terminal/wrap.ts';
import type {AppState, ScreenSize} from './app-state.ts';
import {withMark, type Severity} from '../../words/signs.ts';
import {sortPrompt} from './sort.ts';

export const smallestSize: ScreenSize = {columns: 20, rows: 5};

/** From this height there is room for empty lines. */
export const roomyRows = 14;

/** The smallest width with room for details beside a list. */
export const wideColumns = 100;

/** From this height the quiet parts have rows also below a list that fills the screen. */
export const partsRows = 18;

/** The fewest rows of the quiet parts: the row under the cursor, and three changes. */
const fewestPartsRows = 4;

/** The maximum width of a list with its details, and of the help. */
export const maximumColumns = 200;

const columnsOf = ({size: {columns}}: AppState): number => Math.min(maximumColumns, columns);

/** Returns the text of the message line: the sort prompt, a message, or the progress of a bulk change. */
export function messageLineOf({screen, views, messages: {shown}, progress}: AppState): {readonly text: string; readonly level: Severity} {
	const {isSortOpen, sort} = views[screen];
	return isSortOpen
		? {text: sortPrompt(screen, sort), level: 'info'}
		: {text: shown?.text ?? progress ?? '', level: shown?.level ?? 'info'};
}

/**
Returns the number of rows for the quiet parts below the list; 0 if they are beside it, hidden, or have no room. A filter does not change
it, and a message takes its rows from them, so that the list stays where it is.

@param totalCount - the records of the list, shown or not.
*/
export function rowsBeneath(state: AppState, totalCount: number): number {
	const {listRows, messageRows, paneColumns} = layoutOf(state);
	return state.parts !== 'none' && paneColumns === 0 && state.size.rows >= partsRows && totalCount > 0
		? Math.max(fewestPartsRows - (messageRows - 1), listRows - totalCount)
		: 0;
}

/** Returns the number of rows that the list itself has. */
export function shownListRows(state: AppState, totalCount: number): number {
	return layoutOf(state).listRows - rowsBeneath(state, totalCount);
}

/** Tells whether the last changes are on the screen. */
export function areChangesShown(state: AppState): boolean {
	return state.parts !== 'none' && (state.size.rows >= partsRows || layoutOf(state).paneColumns > 0);
}

/** Tells whether the parts show enough of a row to make reading the other lists worthwhile, for its agents and its description. */
export function hasWholeParts(state: AppState, totalCount: number): boolean {
	const {paneColumns} = layoutOf(state);
	return (
		state.parts === 'both' && state.size.rows >= partsRows && totalCount > 0 && (paneColumns > 0 || rowsBeneath(state, totalCount) > 0)
	);
}

type Layout = ReturnType<typeof createLayout>;

let newest: {readonly state: AppState; readonly layout: Layout} | undefined;

/** Returns the division of a screen's lines: header, tabs, column names, list, message, hints. */
export function layoutOf(state: AppState): Layout {
	// Many components need this at each change of the state.
	if (newest?.state !== state) {
		newest = {state, layout: createLayout(state)};
	}

	return newest.layout;
}

function createLayout(state: AppState) {
	const {size, parts} = state;
	const columns = columnsOf(state);
	const paneColumns = parts !== 'none' && columns >= wideColumns ? Math.min(60, Math.floor(columns * 0.4)) : 0;
	const isRoomy = size.rows >= roomyRows;
	const {filter, isFilterOpen} = state.views[state.screen];
	const hasFilter = filter !== '' || isFilterOpen;
	const hasSentence = state.sentence !== '' || state.isSentenceOpen;
	const lineRows = Number(hasFilter) + Number(hasSentence);
	const wanted = messageRowsOf(state, lineRows);
	const messageRows = isRoomy ? Math.max(1, wanted) : wanted;
	// On a low screen a message replaces the hints.
	const hasHints = isRoomy || messageRows === 0;
	const taken = 2 + (isRoomy ? 1 + Math.max(1, lineRows) : lineRows) + messageRows + (hasHints ? 1 : 0);
	return {
		/** True if there is room for the column names above the list and an empty line below it. */
		isRoomy,
		/** True if the filter has a line: above the hints in place of the empty line, or the last line of a low screen. */
		hasFilter,
		/** True if the sentence has a line, below the filter's. */
		hasSentence,
		/** The lines of the message; one stays free if there is room, so that the list does not jump. */
		messageRows,
		hasHints,
		/** The line of the screen, from 0, on which the list begins. */
		listTop: isRoomy ? 3 : 2,
		listRows: Math.max(1, size.rows - taken),
		paneColumns,
		listColumns: columns - paneColumns,
		/** The whole width, up to a limit: on a very wide screen the details would be too far from a name. */
		columns,
	};
}

/** Returns the number of lines that the message needs, up to three; header, tabs, filter, sentence and one row always stay. */
function messageRowsOf(state: AppState, lineRows: number): number {
	const {
		size: {rows},
	} = state;
	const {text, level} = messageLineOf(state);
	return Math.min(3, Math.max(0, rows - 3 - lineRows), wrapText(withMark(level, text), columnsOf(state) - 1).length);
}
