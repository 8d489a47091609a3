import {wrapText} from '../widgets/wrap.ts';
import {type AppState, type Size} from './app-state.ts';
import {withMark, type Severity} from './severity.ts';
import {sortQuestion} from './sort.ts';

export type Layout = {
	/** Room for the names of the columns above the list, and for an empty line below it. */
	readonly isRoomy: boolean;
	/** Lines of the message; one stays free for it where there is room, so that the list does not jump. */
	readonly messageRows: number;
	readonly hasHints: boolean;
	readonly listRows: number;
	/** The width of the details beside the list; 0 where there is no room for them. */
	readonly paneColumns: number;
	readonly listColumns: number;
	/** The width of all of it: on a very wide screen the eye would travel too far from a name to what is known of it. */
	readonly columns: number;
};

/** The smallest size at which the screens are drawn. */
export const smallestSize: Size = {columns: 20, rows: 5};

/** From this height on there is room for lines that only part others. */
export const roomyRows = 14;

/** The smallest width at which there is room for details beside a list. */
export const wideColumns = 100;

/** No line of a list, with the details beside it, is longer, and none of the help. */
export const mostColumns = 200;

const columnsOf = ({size: {columns}}: AppState): number => Math.min(mostColumns, columns);

/** What the line for messages says: a question about the order, a message, or how far a change of many is. */
export const saidOf = ({screen, views, messages: {shown}, progress}: AppState): {readonly text: string; readonly level: Severity} => {
	const {isSortOpen, sort} = views[screen];
	return isSortOpen ? {text: sortQuestion(screen, sort), level: 'info'} : {text: shown?.text ?? progress ?? '', level: shown?.level ?? 'info'};
};

/** How many lines what is said needs, up to three; header, tabs and one row stay whatever it says. */
const messageRowsOf = (state: AppState): number => {
	const {size: {rows}} = state;
	const {text, level} = saidOf(state);
	return Math.min(3, Math.max(0, rows - 3), wrapText(withMark(level, text), columnsOf(state) - 1).length);
};

/** How the lines of a screen are shared out: header, tabs, names of the columns, list, message, hints. */
export const layoutOf = (state: AppState): Layout => {
	const {size, isPaneOpen} = state;
	const columns = columnsOf(state);
	const paneColumns = isPaneOpen && columns >= wideColumns ? Math.min(60, Math.floor(columns * 0.4)) : 0;
	const isRoomy = size.rows >= roomyRows;
	const wanted = messageRowsOf(state);
	const messageRows = isRoomy ? Math.max(1, wanted) : wanted;
	// On a low screen a message takes the place of the hints.
	const hasHints = isRoomy || messageRows === 0;
	const taken = 2 + (isRoomy ? 2 : 0) + messageRows + (hasHints ? 1 : 0);
	return {
		isRoomy,
		messageRows,
		hasHints,
		listRows: Math.max(1, size.rows - taken),
		paneColumns,
		listColumns: columns - paneColumns,
		columns,
	};
};
