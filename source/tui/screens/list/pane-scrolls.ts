import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ScreenName} from '../../state/app-state.ts';
import {createPaneScroll, type PaneScroll} from '../../widgets/pane-scroll.ts';

/** Kept outside the screens: an overlay unmounts them, and they come back as they were left. */
const scrollsByScreen: MemoryKey<Map<ScreenName, PaneScroll>> = {create: () => new Map()};

/** The scrolling of the details beside a list, which stays the same for as long as the cursor stays on its record. */
export const paneScrollOf = (session: ServiceSession, screen: ScreenName, recordId: number): PaneScroll => {
	const byScreen = session.memory.get(scrollsByScreen);
	const before = byScreen.get(screen);
	if (before?.recordId === recordId) {
		return before;
	}

	const scroll = createPaneScroll(recordId);
	byScreen.set(screen, scroll);
	return scroll;
};
