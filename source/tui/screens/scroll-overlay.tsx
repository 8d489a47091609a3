import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useProgram} from '../app-context.ts';
import {scrollHints} from '../keys/hints.ts';
import {type ActionName} from '../keys/key-table.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {moveOf} from '../widgets/list/index.ts';
import {useTextScroll} from '../widgets/use-text-scroll.ts';

export type ScrollOverlayProps = {
	readonly title: string;
	readonly lineCount: number;
	/** The action that opens it; its key closes it too. */
	readonly action: ActionName;
	/** Draws what is on the screen: so many lines, from `top` on. */
	readonly renderLines: (top: number, height: number) => ReactElement;
};

/** Lines to be read, on a screen of its own that scrolls. */
export const ScrollOverlay = ({title, lineCount, action, renderLines}: ScrollOverlayProps): ReactElement => {
	const {store, keymap} = useProgram();
	const {size} = useAppState();
	const height = Math.max(1, size.rows - 2);
	const {top, move, position} = useTextScroll(lineCount, height);
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
				<Text {...theme.secondary} aria-hidden>{position === '' ? '' : ` ${position}`}</Text>
			</Text>
			<Box height={height} flexShrink={0}>{renderLines(top, height)}</Box>
			<HintLine width={size.columns} hints={[{key: 'esc', label: 'back'}, ...scrollHints(keymap, position)]}/>
		</Box>
	);
};
