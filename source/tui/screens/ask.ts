import {type UiServices} from '../app-context.ts';
import {type Overlay, type Question} from '../state/overlays.ts';

/**
Asks the person before something is done.

@returns a function that replaces the question once more is known; it returns false after the question was answered.
*/
export const ask = ({store}: UiServices, question: Question): ((question: Question) => boolean) => {
	let overlay: Overlay = {kind: 'confirm', ...question};
	store.dispatch({type: 'open', overlay});
	return newest => {
		if (store.getState().overlays.at(-1) !== overlay) {
			return false;
		}

		overlay = {kind: 'confirm', ...newest};
		store.dispatch({type: 'replace', overlay});
		return true;
	};
};
