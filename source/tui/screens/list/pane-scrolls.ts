import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ScreenName} from '../../state/view.ts';
import {createPaneScroll, type PaneScroll} from '../../widgets/pane-scroll.ts';

/** Kept outside the screens, which an overlay unmounts: they come back as they were left. */
const scrollsByScreen: MemoryKey<Map<ScreenName, PaneScroll>> = {create: () => new Map()};

/** The scroll position of the details beside a list; it lasts while the cursor stays on its record. */
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
