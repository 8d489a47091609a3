import {type AppState} from './app-state.ts';

/** Where a key for one record acts, in a word: another word once it would act on another record. */
export const cursorPlace = ({screen, views, overlays}: AppState): string => {
	const {list, filter, generation} = views[screen];
	const opened = overlays.findLast(overlay => overlay.kind === 'ability');
	const record = opened === undefined ? `${screen} ${list.cursorId}` : `${opened.resource} ${opened.id}`;
	// What a filter hides, also once it is asked anew, keeps the cursor, and the key acts on another row.
	return filter === '' ? record : [record, filter, generation].join('\n');
};
