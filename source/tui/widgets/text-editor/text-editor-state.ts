import {replaceText, sliceText, toChunkedText} from './chunked-text.ts';
import {
	noEdits,
	withEdit,
	withoutLast,
	withRedone,
	type EditHistory,
} from './edit-history.ts';
import {
	moveCursor,
	reaches,
	type Reach,
	type TextMove,
	type TextPlace,
} from './text-moves.ts';
import {viewOf, type TextSize} from './text-view.ts';

/** No text gets longer than this, in UTF-16 units. */
export const maximumTextLength = 32 * 1024 * 1024;

export type TextEditorState = TextPlace & {
	readonly history: EditHistory;
	/** What was cut last, to be put back. */
	readonly cutText: string;
	/** What the last action did: going on with it is undone with it, or cut with it. */
	readonly lastKind: 'type' | 'erase' | 'cut' | undefined;
	/** What a new line begins with: as in the text when it was opened. */
	readonly lineBreak: '\n' | '\r\n';
};

/** `insert` is for a text that came at once, and is undone alone; what is typed is undone with what was typed just before. */
export type TextVerb =
	| {readonly type: 'move'; readonly move: TextMove}
	| {readonly type: 'type' | 'insert'; readonly text: string}
	| {readonly type: 'erase' | 'cut'; readonly reach: Reach}
	| {readonly type: 'put-back' | 'undo' | 'redo'};

/** The size of the screen decides what a row is. `reopen` is for another text in place of one that was not touched. */
export type TextEditorAction = (TextVerb | {readonly type: 'reopen'; readonly text: string}) & {readonly size: TextSize};

/** @param changed - what was made of the text before, as an edit that can be undone. */
export const createTextEditorState = (text: string, changed = text): TextEditorState => ({
	text: toChunkedText(changed),
	cursor: 0,
	wantedColumn: undefined,
	top: 0,
	history: changed === text ? noEdits : withEdit(noEdits, {start: 0, removed: text, inserted: changed}, false),
	cutText: '',
	lastKind: undefined,
	lineBreak: changed.includes('\r\n') ? '\r\n' : '\n',
});

/** True if the text is not known to be the one that was opened. */
export const isEdited = ({history}: TextEditorState): boolean => history.past.length > 0 || !history.isWhole;

/** True if nothing was ever edited, not even to be undone. */
export const isUntouched = (state: TextEditorState): boolean => !isEdited(state) && state.history.future.length === 0;

type EditKind = TextEditorState['lastKind'];

/** Puts a text in place of the one between two offsets, with the cursor behind it. */
const replace = (state: TextEditorState, from: number, to: number, inserted: string, kind: EditKind): TextEditorState => {
	const removed = sliceText(state.text, from, to);
	if (removed === inserted || state.text.length - removed.length + inserted.length > Math.max(maximumTextLength, state.text.length)) {
		return state;
	}

	return {
		...state,
		text: replaceText(state.text, from, to, inserted),
		cursor: from + inserted.length,
		wantedColumn: undefined,
		history: withEdit(state.history, {start: from, removed, inserted}, kind !== undefined && kind !== 'cut' && kind === state.lastKind),
		lastKind: kind,
	};
};

/** What a key for the end or the start of a line takes there: the line break. */
const reachesAtBreak: Readonly<Partial<Record<Reach, Reach>>> = {'line-end': 'next-character', 'line-start': 'previous-character'};

/** The part between the cursor and a place. */
const partOf = ({text, cursor}: TextEditorState, reach: Reach): readonly [from: number, to: number] => {
	const place = reaches[reach](text, cursor);
	const end = place === cursor ? reaches[reachesAtBreak[reach] ?? reach](text, cursor) : place;
	return [Math.min(cursor, end), Math.max(cursor, end)];
};

/** Cutting several times in a row makes one text of what is cut. */
const cut = (state: TextEditorState, reach: Reach): TextEditorState => {
	const [from, to] = partOf(state, reach);
	const removed = sliceText(state.text, from, to);
	const before = state.lastKind === 'cut' ? state.cutText : '';
	return removed === '' ? state : {...replace(state, from, to, '', 'cut'), cutText: to > state.cursor ? before + removed : removed + before};
};

/** The state with the edit that was made, or taken back, last in its history. */
const applyHistory = (state: TextEditorState, type: 'undo' | 'redo'): TextEditorState => {
	const {text, history} = state;
	const edit = type === 'undo' ? history.past.at(-1) : history.future.at(-1);
	if (edit === undefined) {
		return state;
	}

	const [removed, inserted] = type === 'undo' ? [edit.inserted, edit.removed] : [edit.removed, edit.inserted];
	return {
		...state,
		text: replaceText(text, edit.start, edit.start + removed.length, inserted),
		cursor: edit.start + inserted.length,
		wantedColumn: undefined,
		history: type === 'undo' ? withoutLast(history) : withRedone(history),
		lastKind: undefined,
	};
};

const act = (state: TextEditorState, action: TextEditorAction): TextEditorState => {
	const {cursor, lineBreak} = state;
	switch (action.type) {
		case 'move': {
			return {...state, ...moveCursor(state, action.move, action.size), lastKind: undefined};
		}

		case 'type':
		case 'insert': {
			return replace(state, cursor, cursor, action.text.replaceAll('\n', lineBreak), action.type === 'type' ? 'type' : undefined);
		}

		case 'put-back': {
			return replace(state, cursor, cursor, state.cutText, undefined);
		}

		case 'erase': {
			return replace(state, ...partOf(state, action.reach), '', 'erase');
		}

		case 'cut': {
			return cut(state, action.reach);
		}

		case 'undo':
		case 'redo': {
			return applyHistory(state, action.type);
		}

		case 'reopen': {
			return createTextEditorState(action.text);
		}
	}
};

/** A text that is edited, without a keyboard. An action that can change nothing returns the same state, or one with the same text. */
export const reduceTextEditor = (state: TextEditorState, action: TextEditorAction): TextEditorState => {
	const next = act(state, action);
	const top = viewOf(next, action.size).rows[0]!.start;
	return top === next.top ? next : {...next, top};
};
