import type {ActionName} from '../../words/key-table.ts';
import {characterAfter, characterBefore, startWithin, textEnd, textStart, wordAfter, wordBefore, type Reach} from './text-editing.ts';
import {columnOf, lineEndOf, lineStartOf, offsetAt, rowAt, rowFrom, viewOf, type TextSize} from './text-rows.ts';

/** No text gets longer than this, in UTF-16 units; a longer one needs the person's own editor. */
export const maximumTextLength = 1024 * 1024;

/** A change of a text: a replacement at an offset. */
type Edit = {readonly start: number; readonly removed: string; readonly inserted: string; readonly cursor: number};

export type TextEditorState = {
	readonly text: string;
	readonly cursor: number;
	readonly opened: string;
	/** The column that the cursor keeps while it moves up and down. */
	readonly wantedColumn: number | undefined;
	/** The start of the first row on the screen. */
	readonly top: number;
	readonly past: readonly Edit[];
	/** The undone edits, the next one to redo last. */
	readonly future: readonly Edit[];
	readonly cutText: string;
	/** The kind of the last action: a continued action is undone, or cut, together with it. */
	readonly lastKind: 'type' | 'erase' | 'cut' | undefined;
	/** The line break for new lines: as in the text when it was opened. */
	readonly lineBreak: '\n' | '\r\n';
};

/** @param changed - an edited version of the text, as an edit that can be undone. */
export function createTextEditorState(opened: string, changed = opened): TextEditorState {
	return {
		text: changed,
		opened,
		cursor: 0,
		wantedColumn: undefined,
		top: 0,
		past: changed === opened ? [] : [{start: 0, removed: opened, inserted: changed, cursor: 0}],
		future: [],
		cutText: '',
		lastKind: undefined,
		lineBreak: changed.includes('\r\n') ? '\r\n' : '\n',
	};
}

/** Tells whether nothing was ever edited, not even with an undo since. */
export function isUntouched({past, future}: TextEditorState): boolean {
	return past.length + future.length === 0;
}

const maximumEdits = 1000;

const maximumHistoryLength = 16 * maximumTextLength;

const lengthOf = ({removed, inserted}: Edit): number => removed.length + inserted.length;

/** Joins an edit with the last one, which it adjoins and continues. */
const joined = (last: Edit, next: Edit): Edit => ({
	start: Math.min(last.start, next.start),
	removed: next.start < last.start ? next.removed + last.removed : last.removed + next.removed,
	inserted: last.inserted + next.inserted,
	cursor: last.cursor,
});

type Verb = (state: TextEditorState, size: TextSize) => TextEditorState;

const moveTo =
	(reach: Reach): Verb =>
	state => ({...state, cursor: reach(state.text, state.cursor), wantedColumn: undefined, lastKind: undefined});

const moveByRows =
	(direction: 1 | -1, isPage: boolean): Verb =>
	(state, {width, height}) => {
		const {text, cursor, wantedColumn, top} = state;
		const distance = direction * (isPage ? Math.max(1, height - 1) : 1);
		const row = rowAt(text, width, cursor);
		const target = rowFrom(text, width, row, distance);
		const column = wantedColumn ?? columnOf(text, row, cursor);
		return {
			...state,
			// Beyond the first and the last row, only their ends can be reached.
			cursor: target.start === row.start ? (direction < 0 ? 0 : text.length) : offsetAt(text, target, column),
			wantedColumn: column,
			top: isPage ? rowFrom(text, width, rowAt(text, width, top), distance).start : top,
			lastKind: undefined,
		};
	};

/** Removes the text from the cursor to a place. If the two are equal, at the end of a line, the line break is removed. */
const remove =
	(kind: 'erase' | 'cut', reach: Reach, reachAtBreak = reach): Verb =>
	state => {
		const {text, cursor, cutText, lastKind} = state;
		const place = reach(text, cursor);
		const end = place === cursor ? reachAtBreak(text, cursor) : place;
		const [from, to] = [Math.min(cursor, end), Math.max(cursor, end)];
		const next = replace(state, from, to, '', kind);
		if (kind === 'erase' || next === state) {
			return next;
		}

		// Several cuts in a row make one cut text.
		const before = lastKind === 'cut' ? cutText : '';
		const removed = text.slice(from, to);
		return {...next, cutText: end > cursor ? before + removed : removed + before};
	};

const undo: Verb = state => {
	const edit = state.past.at(-1);
	return edit === undefined
		? state
		: {
				...state,
				text: state.text.slice(0, edit.start) + edit.removed + state.text.slice(edit.start + edit.inserted.length),
				cursor: edit.cursor,
				wantedColumn: undefined,
				past: state.past.slice(0, -1),
				future: [...state.future, edit],
				lastKind: undefined,
			};
};

const redo: Verb = state => {
	const edit = state.future.at(-1);
	return edit === undefined
		? state
		: {
				...state,
				text: state.text.slice(0, edit.start) + edit.inserted + state.text.slice(edit.start + edit.removed.length),
				cursor: edit.start + edit.inserted.length,
				wantedColumn: undefined,
				past: [...state.past, edit],
				future: state.future.slice(0, -1),
				lastKind: undefined,
			};
};

const verbs = {
	'text-left': moveTo(characterBefore),
	'text-right': moveTo(characterAfter),
	'text-word-left': moveTo(wordBefore),
	'text-word-right': moveTo(wordAfter),
	'text-line-start': moveTo(lineStartOf),
	'text-line-end': moveTo(lineEndOf),
	'text-start': moveTo(textStart),
	'text-end': moveTo(textEnd),
	'text-up': moveByRows(-1, false),
	'text-down': moveByRows(1, false),
	'text-page-up': moveByRows(-1, true),
	'text-page-down': moveByRows(1, true),
	'text-erase': remove('erase', characterBefore),
	'text-erase-next': remove('erase', characterAfter),
	'text-cut-word': remove('cut', wordBefore),
	'text-cut-next': remove('cut', wordAfter),
	'text-cut-start': remove('cut', lineStartOf, characterBefore),
	'text-cut-end': remove('cut', lineEndOf, characterAfter),
	'text-put-back': state => replace(state, state.cursor, state.cursor, state.cutText),
	'text-undo': undo,
	'text-redo': redo,
} as const satisfies Partial<Record<ActionName, Verb>>;

/** An action of the key table that edits a text. */
export type TextVerb = keyof typeof verbs;

export function isTextVerb(action: ActionName): action is TextVerb {
	return Object.hasOwn(verbs, action);
}

/**
`insert` is for a text that arrived at once: it is undone separately, and shortened if there is no room for all of it; typed text is undone
together with the text typed just before. `reopen` replaces a text that was not touched.
*/
export type TextAction = {readonly type: TextVerb} | {readonly type: 'type' | 'insert' | 'reopen'; readonly text: string};

/** Rows depend on the size of the screen. */
export type TextEditorAction = TextAction & {readonly size: TextSize};

/** Returns an edited text, without a keyboard. An action without effect returns the unchanged state, or a state with the unchanged text. */
export function reduceTextEditor(state: TextEditorState, action: TextEditorAction): TextEditorState {
	const next = act(state, action);
	const top = viewOf(next, action.size).rows[0]!.start;
	return top === next.top ? next : {...next, top};
}

function act(state: TextEditorState, action: TextEditorAction): TextEditorState {
	if (!('text' in action)) {
		return verbs[action.type](state, action.size);
	}

	const {type, text} = action;
	if (type === 'reopen') {
		return createTextEditorState(text);
	}

	const {cursor, lineBreak} = state;
	const lines = text.replaceAll('\n', lineBreak);
	return type === 'type'
		? replace(state, cursor, cursor, lines, type)
		: replace(state, cursor, cursor, startWithin(lines, maximumTextLength - state.text.length));
}

/** Replaces the text between two offsets, with the cursor after it. Typed text is undone word by word, erased text at once. */
function replace(state: TextEditorState, from: number, to: number, inserted: string, kind?: TextEditorState['lastKind']): TextEditorState {
	const {text, cursor, past, lastKind} = state;
	const changed = text.slice(0, from) + inserted + text.slice(to);
	if (changed === text || changed.length > Math.max(maximumTextLength, text.length)) {
		return state;
	}

	const isNewWord = /\s/u.test(text.charAt(from - 1)) && /^\S/u.test(inserted);
	const isContinued = kind === lastKind && (kind === 'erase' || (kind === 'type' && !isNewWord));
	const edit: Edit = {start: from, removed: text.slice(from, to), inserted, cursor};
	const last = isContinued ? past.at(-1) : undefined;
	return {
		...state,
		text: changed,
		cursor: from + inserted.length,
		wantedColumn: undefined,
		past: last === undefined ? withEdit(past, edit) : withEdit(past.slice(0, -1), joined(last, edit)),
		future: [],
		lastKind: kind,
	};
}

function withEdit(past: readonly Edit[], edit: Edit): readonly Edit[] {
	const edits = [...past, edit].slice(-maximumEdits);
	let length = edits.reduce((sum, each) => sum + lengthOf(each), 0);
	while (length > maximumHistoryLength && edits.length > 1) {
		length -= lengthOf(edits.shift()!);
	}

	return edits;
}
