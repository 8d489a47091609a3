import {type UiServices} from '../app-context.ts';
import {type Overlay, type Question} from '../state/overlays.ts';

/**
Asks the person before something is done.

@returns a function that replaces the details once more is known; it does nothing after the question was answered.
*/
export const ask = ({store}: UiServices, question: Question): ((details: readonly string[]) => void) => {
	let overlay: Overlay = {kind: 'confirm', ...question};
	store.dispatch({type: 'open', overlay});
	return details => {
		if (store.getState().overlays.at(-1) !== overlay) {
			return;
		}

		overlay = {kind: 'confirm', ...question, details};
		store.dispatch({type: 'close'});
		store.dispatch({type: 'open', overlay});
	};
};
