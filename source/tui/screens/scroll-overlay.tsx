import {type ReactElement, useMemo} from 'react';
import {Box} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {ActionName} from '../keys/key-table.ts';
import {searchHints, scrollHints, isBackKey} from '../keys/keymap.ts';
import type {Tone} from '../theme.ts';
import {moveOf} from '../widgets/list-state.ts';
import {Notice} from '../widgets/notice.tsx';
import {ScrollText, searchedText, type ScrollLine} from '../widgets/scroll-text.tsx';
import {useTextScroll} from '../widgets/text-scroll.ts';
import {useTextSearch} from '../widgets/text-search.ts';
import {DetailFrame, TitleLine} from './detail-frame.tsx';

type ScrollOverlayProps = {
	readonly title: string;
	/** Columns of the same height, side by side. */
	readonly columns: readonly [readonly ScrollLine[], ...Array<readonly ScrollLine[]>];
	readonly columnWidth?: number;
	/** Terminal columns for the labels. */
	readonly labelColumns?: number;
	readonly labelTone?: Tone;
	/** Shown where there is no line. */
	readonly empty?: string;
	/** The action that opens it; its key closes it too. */
	readonly action: ActionName;
};

/** Text on a screen of its own that scrolls and can be searched. */
export const ScrollOverlay = ({title, columns, columnWidth, empty = '', action, ...look}: ScrollOverlayProps): ReactElement => {
	const {store, keymap} = useUiServices();
	const {size} = useAppState();
	const height = Math.max(1, size.rows - 2);
	const rowCount = columns[0].length;
	const texts = useMemo(() => columns.flat().map(line => searchedText(line)), [columns]);
	const {top, move, show, turnWheel, position} = useTextScroll(rowCount, height);
	const search = useTextSearch(texts, {
		top,
		show(line) {
			show(line % rowCount);
		},
	});
	useKeys(layers.overlay, {
		onMouse: turnWheel,
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
	const status = search.isActive ? search.statusWithin(size.columns - title.length - 4) : position;
	return (
		<DetailFrame isPlain head={<TitleLine title={title} notes={[status]} spoken={search.spokenStatus}/>} hints={hints}>
			<Box height={height} flexShrink={0}>
				{rowCount === 0
					? <Notice width={size.columns} height={height} tone='secondary' title={empty}/>
					: columns.map((lines, column) => (
						<Box key={column} flexDirection='column' width={columnWidth ?? size.columns} flexShrink={0}>
							<ScrollText {...look} lines={lines} top={top} height={height} partsIn={line => search.partsIn((column * rowCount) + line)}/>
						</Box>
					))}
			</Box>
		</DetailFrame>
	);
};
