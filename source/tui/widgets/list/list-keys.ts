import {type Move} from './list-state.ts';

const moves: readonly string[] = ['down', 'up', 'half-page-down', 'half-page-up', 'page-down', 'page-up', 'first', 'last'] satisfies readonly Move[];

/** The move of an action of the key table; `undefined` for any other action. */
export const moveOf = (action: string | undefined): Move | undefined =>
	action !== undefined && moves.includes(action) ? action as Move : undefined;

const lineMoves: Readonly<Record<string, Move>> = {
	down: 'down',
	'ctrl+n': 'down',
	up: 'up',
	'ctrl+p': 'up',
	pagedown: 'page-down',
	pageup: 'page-up',
	home: 'first',
	end: 'last',
};

/** The move of a key while a line is typed above the list, where letters are text; `undefined` for any other key. */
export const lineMoveOf = (keyName: string): Move | undefined => lineMoves[keyName];

/** The move of an action that scrolls details, beside a list or below one; `undefined` for any other action. */
export const paneMoveOf = (action: string | undefined): Move | undefined =>
	action === 'pane-down' ? 'half-page-down' : (action === 'pane-up' ? 'half-page-up' : undefined);
