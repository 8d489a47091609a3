import {type UiServices} from '../app-context.ts';

/** Escape dismisses an error or a warning that is shown before it does anything else; returns true if it did. */
export const dismissError = (store: UiServices['store']): boolean => {
	const {shown} = store.getState().messages;
	if (shown === undefined || shown.level === 'info') {
		return false;
	}

	store.dispatch({type: 'dismiss'});
	return true;
};
