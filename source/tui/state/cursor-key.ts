import {type AppState} from './app-state.ts';

/** Identifies the record that a key works on: another text once it would work on another record. */
export const cursorKey = ({screen, views, overlays}: AppState): string => {
	const opened = overlays.findLast(overlay => overlay.kind === 'ability');
	return opened === undefined ? `${screen} ${views[screen].list.cursorId}` : `${opened.resource} ${opened.id}`;
};
