import {type ReactElement} from 'react';
import {PaneScrollContext, type PaneScroll} from '../../widgets/pane-scroll.ts';
import {OwnerContext} from '../../widgets/use-owned-state.ts';

/** Details scrolled by the keys of the list beside them. */
export const ScrollingPane = ({scroll, children}: {readonly scroll: PaneScroll; readonly children: ReactElement}): ReactElement => (
	<OwnerContext value={scroll}>
		<PaneScrollContext value={scroll}>{children}</PaneScrollContext>
	</OwnerContext>
);
