import {type UiServices} from '../../app-context.ts';
import {type Overlay, type Question} from '../../state/overlays.ts';

/**
Asks before something that cannot be taken back.

@returns a function that puts other details in the place of those shown, once more is known; it does nothing where the
question is answered by then.
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
