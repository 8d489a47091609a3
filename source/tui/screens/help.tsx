import {useMemo, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useProgram} from '../app-context.ts';
import {keyRows, scrollHints} from '../keys/hints.ts';
import {placesOf, screensOf, type Place} from '../keys/key-table.ts';
import {type Keymap} from '../keys/keymap.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type ScreenName} from '../state/app-state.ts';
import {theme} from '../theme.ts';
import {Help, helpLines, type HelpRow} from '../widgets/help.tsx';
import {HintLine} from '../widgets/hint-line.tsx';
import {moveOf} from '../widgets/list/index.ts';
import {useTextScroll} from '../widgets/use-text-scroll.ts';

/** What acts on the screen shown comes first; the rest says where it acts, for one key may do another thing there. */
const helpRows = (keymap: Keymap, screen: ScreenName): readonly HelpRow[] => {
	const places: readonly Place[] = placesOf[screen];
	const rows = keyRows(keymap);
	return [
		...rows.filter(({place}) => places.includes(place)),
		...rows.filter(({place}) => !places.includes(place)).map(({place, description, ...row}) => ({...row, description: `on ${screensOf(place).join(' and ')}: ${description}`})),
	];
};

/** All keys, from the table that the dispatcher uses. */
export const HelpScreen = (): ReactElement => {
	const {store, keymap} = useProgram();
	const {size, screen} = useAppState();
	const lines = useMemo(() => helpLines(helpRows(keymap, screen), size.columns), [keymap, screen, size.columns]);
	const height = Math.max(1, size.rows - 2);
	const {top, move, position} = useTextScroll(lines.length, height);
	useKeys(layers.overlay, {
		onKey(key) {
			const step = moveOf(keymap.actionOf(key.name, ['list']));
			if (step !== undefined) {
				move(step);
			} else if (['escape', 'q', 'enter'].includes(key.name) || keymap.keysOf('help').includes(key.name)) {
				store.dispatch({type: 'close'});
			}

			return true;
		},
	});
	return (
		<Box flexDirection='column' height={size.rows}>
			<Text wrap='truncate-end'>
				<Text {...theme.title}> Keys</Text>
				<Text {...theme.secondary} aria-hidden>{position === '' ? '' : ` ${position}`}</Text>
			</Text>
			<Help lines={lines} height={height} top={top}/>
			<HintLine width={size.columns} hints={[{key: 'esc', label: 'close'}, ...scrollHints(keymap, position)]}/>
		</Box>
	);
};
