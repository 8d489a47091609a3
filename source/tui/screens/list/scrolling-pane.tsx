import {type ReactElement} from 'react';
import {PaneScrollContext, type PaneScroll} from '../../widgets/pane-scroll.ts';
import {ScreenMemoryContext} from '../../widgets/use-remembered-state.ts';

/** Details that are scrolled by the keys of the list beside them. */
export const ScrollingPane = ({scroll, children}: {readonly scroll: PaneScroll; readonly children: ReactElement}): ReactElement => (
	<ScreenMemoryContext value={scroll.memory}>
		<PaneScrollContext value={scroll}>{children}</PaneScrollContext>
	</ScreenMemoryContext>
);
