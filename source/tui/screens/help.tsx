import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useProgram} from '../app-context.ts';
import {keyRows} from '../keys/hints.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {Help, useScroll} from '../widgets/help.tsx';
import {HintLine} from '../widgets/hint-line.tsx';
import {isProgramKey} from './program-keys.ts';

const steps: Readonly<Record<string, number>> = {
	j: 1,
	down: 1,
	k: -1,
	up: -1,
	pagedown: 10,
	'ctrl+d': 10,
	pageup: -10,
	'ctrl+u': -10,
	g: -Infinity,
	home: -Infinity,
	G: Infinity,
	end: Infinity,
};

/** All keys, from the table that the dispatcher uses. */
export const HelpScreen = (): ReactElement => {
	const {store, keymap} = useProgram();
	const {size} = useAppState();
	const rows = keyRows(keymap);
	const height = Math.max(1, size.rows - 2);
	const {top, scroll} = useScroll(rows.length, height);
	useKeys(layers.overlay, {
		onKey(key) {
			if (isProgramKey(key.name)) {
				return false;
			}

			const step = steps[key.name];
			if (step !== undefined) {
				scroll(step);
			} else if (['escape', 'q', '?', 'f1', 'enter'].includes(key.name)) {
				store.dispatch({type: 'close'});
			}

			return true;
		},
	});
	const isWhole = rows.length <= height;
	const position = isWhole ? '' : ` ${top + 1}–${Math.min(rows.length, top + height)} of ${rows.length}`;
	return (
		<Box flexDirection='column' height={size.rows}>
			<Text wrap='truncate-end'>
				<Text {...theme.title}> Keys</Text>
				<Text {...theme.secondary} aria-hidden>{position}</Text>
			</Text>
			<Help rows={rows} width={size.columns} height={height} top={top}/>
			<HintLine width={size.columns} hints={[{key: 'esc', label: 'close'}, ...(isWhole ? [] : [{key: 'j/k', label: 'scroll'}])]}/>
		</Box>
	);
};
