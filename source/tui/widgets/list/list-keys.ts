import {type Move} from './list-state.ts';

const moves: readonly string[] = ['down', 'up', 'half-page-down', 'half-page-up', 'page-down', 'page-up', 'first', 'last'] satisfies readonly Move[];

/** The move of an action of the key table; `undefined` for any other action. */
export const moveOf = (action: string | undefined): Move | undefined =>
	action !== undefined && moves.includes(action) ? action as Move : undefined;

/** The move of an action that scrolls details, beside a list or below one; `undefined` for any other action. */
export const paneMoveOf = (action: string | undefined): Move | undefined =>
	action === 'pane-down' ? 'half-page-down' : (action === 'pane-up' ? 'half-page-up' : undefined);
