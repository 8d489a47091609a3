import {type ReactElement, type ReactNode} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {searchHints, scrollHints} from '../keys/hints.ts';
import {type ActionName} from '../keys/key-table.ts';
import {isBackKey} from '../keys/keymap.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {moveOf} from '../widgets/list/index.ts';
import {useTextScroll} from '../widgets/use-text-scroll.ts';
import {useTextSearch, type TextSearch} from '../widgets/use-text-search.ts';

type ScrollOverlayProps = {
	readonly title: string;
	/** The lines to search; in columns, one column after the other. */
	readonly texts: readonly string[];
	/** Lines of each column; all lines unless given. */
	readonly rowCount?: number;
	/** The action that opens it; its key closes it too. */
	readonly action: ActionName;
	/** Draws `height` lines from `top` on, with the matches of a search. */
	readonly renderLines: (top: number, height: number, partsIn: TextSearch['partsIn']) => ReactNode;
};

/** Text on a screen of its own that scrolls and can be searched. */
export const ScrollOverlay = ({title, texts, rowCount = texts.length, action, renderLines}: ScrollOverlayProps): ReactElement => {
	const {store, keymap} = useUiServices();
	const {size} = useAppState();
	const height = Math.max(1, size.rows - 2);
	const scroll = useTextScroll(rowCount, height);
	const search = useTextSearch(texts, {
		top: scroll.top,
		show(line) {
			scroll.show(line % rowCount);
		},
	});
	const {top, move, position} = scroll;
	useKeys(layers.overlay, {
		onKey(key) {
			if (search.takeKey(key)) {
				return true;
			}

			const asked = keymap.actionOf(key.name, ['list']);
			const step = moveOf(asked);
			if (step !== undefined) {
				move(step);
			} else if (!search.act(asked) && (isBackKey(keymap, key.name) || key.name === 'enter' || keymap.keysOf(action).includes(key.name))) {
				store.dispatch({type: 'close'});
			}

			return true;
		},
	});
	const hints = [...(search.isActive ? [] : [{key: 'esc', label: 'back'}, ...scrollHints(keymap, position)]), ...searchHints(keymap, search)];
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Text wrap='truncate-end'>
				<Text {...theme.title}>{` ${title}`}</Text>
				{search.isActive
					? <Text aria-label={`, ${search.spokenStatus}`}>{`  ${search.statusWithin(size.columns - title.length - 4)}`}</Text>
					: <Text {...theme.secondary} aria-hidden>{position === '' ? '' : ` ${position}`}</Text>}
			</Text>
			<Box height={height} flexShrink={0}>{renderLines(top, height, search.partsIn)}</Box>
			<HintLine width={size.columns} hints={hints}/>
		</Box>
	);
};
