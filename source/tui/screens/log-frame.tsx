import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useProgram} from '../app-context.ts';
import {scrollHints} from '../keys/hints.ts';
import {type ActionName} from '../keys/key-table.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {moveOf} from '../widgets/list/index.ts';
import {Notice} from '../widgets/notice.tsx';
import {ScrollText, type ScrollLine} from '../widgets/scroll-text.tsx';
import {useTextScroll} from '../widgets/use-text-scroll.ts';

export type LogFrameProps = {
	readonly title: string;
	/** What stands in place of the lines where there are none. */
	readonly empty: string;
	/** The newest first. */
	readonly lines: readonly ScrollLine[];
	/** The action that opens it; its key closes it too. */
	readonly action: ActionName;
};

/** What has happened so far, on a screen of its own that scrolls. */
export const LogFrame = ({title, empty, lines, action}: LogFrameProps): ReactElement => {
	const {store, keymap} = useProgram();
	const {size} = useAppState();
	const height = Math.max(1, size.rows - 2);
	const {top, move, position} = useTextScroll(lines.length, height);
	useKeys(layers.overlay, {
		onKey(key) {
			const step = moveOf(keymap.actionOf(key.name, ['list']));
			if (step !== undefined) {
				move(step);
			} else if (['escape', 'q', 'enter'].includes(key.name) || keymap.keysOf(action).includes(key.name)) {
				store.dispatch({type: 'close'});
			}

			return true;
		},
	});
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Text wrap='truncate-end'>
				<Text {...theme.title}>{` ${title}`}</Text>
				<Text {...theme.secondary} aria-hidden>{position === '' ? '' : `   ${position}`}</Text>
			</Text>
			{lines.length === 0
				? <Notice width={size.columns} height={height} tone='secondary' title={empty}/>
				: <Box height={height} flexShrink={0}><ScrollText lines={lines} top={top} height={height}/></Box>}
			<HintLine width={size.columns} hints={[{key: 'esc', label: 'back'}, ...scrollHints(keymap, position)]}/>
		</Box>
	);
};
