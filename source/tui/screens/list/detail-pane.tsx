import {type ReactElement} from 'react';
import {useUiServices} from '../../app-context.ts';
import {keyName} from '../../keys/hints.ts';
import {PaneScrollContext, type PaneScroll} from '../../widgets/pane-scroll.ts';
import {Pane, type PaneDetails} from '../../widgets/pane.tsx';
import {ScreenMemoryContext} from '../../widgets/use-remembered-state.ts';

type DetailPaneProps = {
	readonly scroll: PaneScroll;
	readonly details: PaneDetails;
	readonly width: number;
	readonly height: number;
};

/** Details that are scrolled by the keys of the list beside them. */
export const DetailPane = ({scroll, details, width, height}: DetailPaneProps): ReactElement => {
	const {keymap} = useUiServices();
	return (
		<ScreenMemoryContext value={scroll.memory}>
			<PaneScrollContext value={scroll}>
				<Pane {...details} width={width} height={height} scrollKeys={{down: keyName(keymap, 'pane-down'), up: keyName(keymap, 'pane-up')}}/>
			</PaneScrollContext>
		</ScreenMemoryContext>
	);
};
