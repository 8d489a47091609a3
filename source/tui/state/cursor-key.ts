import {type AppState} from './app-state.ts';

/** Where a key for one record acts, in a word: another word once it would act on another record. */
export const cursorKey = ({screen, views, overlays}: AppState): string => {
	const opened = overlays.findLast(overlay => overlay.kind === 'ability');
	return opened === undefined ? `${screen} ${views[screen].list.cursorId}` : `${opened.resource} ${opened.id}`;
};
