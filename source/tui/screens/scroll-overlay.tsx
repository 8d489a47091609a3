import {type ReactElement, useMemo} from 'react';
import {Box} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {ActionName} from '../../words/key-table.ts';
import {searchHints, scrollHints, isBackKey, type Hint} from '../../words/keymap.ts';
import type {Key} from '../../terminal/key.ts';
import {moveOf} from '../state/list-state.ts';
import {Notice} from '../widgets/notice.tsx';
import {ScrollText, searchedText, type ScrollLine} from '../widgets/scroll-text.tsx';
import {useTextScroll} from '../widgets/text-scroll.ts';
import {useTextSearch} from '../widgets/text-search.ts';
import {DetailFrame, detailLayoutOf} from './detail-frame.tsx';

type ScrollOverlayProps = {
	readonly title: string;
	readonly lines: readonly ScrollLine[];
	readonly labelColumns?: number;
	readonly empty?: string;
	/** The action that opens it; its key also closes it. */
	readonly action: ActionName;
	/** False if it has a line for messages. */
	readonly isPlain?: boolean;
	readonly note?: string;
	readonly hints?: ReadonlyArray<Hint | undefined>;
	/** Handles the overlay's keys. Returns false for any other key. */
	readonly onKey?: (key: Key) => boolean;
};

/** Draws text on a separate screen, which scrolls and can be searched. */
export function ScrollOverlay({
	title,
	lines,
	labelColumns = 0,
	empty = '',
	action,
	isPlain = true,
	note = '',
	hints: ownHints = [],
	onKey = () => false,
}: ScrollOverlayProps): ReactElement {
	const {store, keymap} = useUiServices();
	const state = useAppState();
	const {size} = state;
	const height = detailLayoutOf(state, isPlain).bodyRows;
	const texts = useMemo(() => lines.map(line => searchedText(line)), [lines]);
	const {top, move, show, turnWheel, position} = useTextScroll(lines.length, height);
	const search = useTextSearch(texts, {top, show});
	useKeys(layers.overlay, {
		onMouse: turnWheel,
		onKey(key) {
			if (search.takeKey(key) || onKey(key)) {
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
	const hints = [
		...(search.isActive ? [] : [{key: 'esc', label: 'back'}, ...ownHints, ...scrollHints(keymap, position)]),
		...searchHints(keymap, search),
	];
	const status = search.isActive ? search.statusWithin(size.columns - title.length - 4) : position;
	return (
		<DetailFrame isPlain={isPlain} title={title} notes={[status, note]} spoken={search.spokenStatus} hints={hints}>
			<Box height={height} flexShrink={0}>
				{lines.length === 0 ? (
					<Notice width={size.columns} height={height} tone="secondary" title={empty} />
				) : (
					<ScrollText lines={lines} labelColumns={labelColumns} top={top} height={height} partsIn={search.partsIn} />
				)}
			</Box>
		</DetailFrame>
	);
}
