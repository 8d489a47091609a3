import {type UiServices} from '../../app-context.ts';
import {keyName} from '../../keys/hints.ts';
import {layoutOf, wideColumns} from '../../state/layout.ts';
import {type Move} from '../../widgets/list/index.ts';
import {type Listed} from './use-rows.ts';

/** What the actions on the details beside a list need. */
export type PaneContext = {
	readonly ui: UiServices;
	/** The record under the cursor. */
	readonly cursorRecord: Listed | undefined;
	/** True for a screen reader: there are no details beside the list. */
	readonly isScreenReader: boolean;
	/** Scrolls the details of a record beside the list. */
	scrollPane(id: number, move: Move): void;
};

/** Why no details can stand beside the list, with the key that shows them instead; undefined where they can. */
const paneProblem = ({ui: {store, keymap}, isScreenReader}: PaneContext): string | undefined => {
	const open = keyName(keymap, 'open');
	if (isScreenReader) {
		return `No details beside the list in a screen reader: ${open} shows them.`;
	}

	return store.getState().size.columns < wideColumns
		? `Details beside the list need at least ${wideColumns} columns: ${open} shows them here.`
		: undefined;
};

/** Shows or hides the details beside the list, or says why there can be none. */
export const togglePane = (context: PaneContext): void => {
	const problem = paneProblem(context);
	if (problem === undefined) {
		context.ui.store.dispatch({type: 'toggle-pane'});
	} else {
		context.ui.say('info', problem);
	}
};

/** Scrolls the details of the record under the cursor, or says why there are none. */
export const scrollPane = (context: PaneContext, move: Move): void => {
	const {ui: {store, say, keymap}, cursorRecord} = context;
	const problem = paneProblem(context);
	if (problem !== undefined) {
		say('info', problem);
	} else if (layoutOf(store.getState()).paneColumns === 0) {
		say('info', `The details beside the list are hidden: ${keyName(keymap, 'pane')} shows them.`);
	} else if (cursorRecord === undefined) {
		say('info', 'No row to scroll the details of.', store.getState().screen);
	} else {
		context.scrollPane(cursorRecord.id, move);
	}
};
