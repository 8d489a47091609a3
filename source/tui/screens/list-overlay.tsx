import type {ReactElement} from 'react';
import {useAppState, useUiServices} from '../app-context.ts';
import {useEarlyInput} from '../hooks/use-early-input.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {ActionName} from '../keys/key-table.ts';
import {
	hintOf,
	isBackKey,
	isOpenKey,
	type Hint,
} from '../keys/keymap.ts';
import type {Key} from '../terminal/key.ts';
import {spokenRow} from '../terminal/spoken-text.ts';
import {
	List,
	listRowOf,
	type Line,
	type Part,
} from '../widgets/list.tsx';
import {
	cursorRowOf,
	initialListState,
	moved,
	moveOf,
	withMouse,
} from '../widgets/list-state.ts';
import {Notice, type NoticeProps} from '../widgets/notice.tsx';
import {useRememberedState} from '../widgets/text-scroll.ts';
import {DetailFrame, detailLayoutOf, TitleLine} from './detail-frame.tsx';

/** Columns before a row of an overlay. */
export const rowStart = 3;

/** A row of an overlay: the marker of the cursor and its parts, and how it is read out. */
export const overlayLine = (isCursor: boolean, parts: readonly Part[], spoken: string, width: number): Line =>
	listRowOf(isCursor, [[isCursor ? ' > ' : ' '.repeat(rowStart)], ...parts], spokenRow(isCursor, spoken), width);

type ListOverlayProps = {
	readonly title: string;
	readonly note?: string;
	/** The action that opens it; its key closes it too. */
	readonly action: ActionName;
	/** True if it has no line for messages. */
	readonly isPlain?: boolean;
	readonly ids: readonly number[];
	readonly lineOf: (row: number, isCursor: boolean) => Line;
	/** Keys are kept until there are rows to move over. */
	readonly isLoading?: boolean;
	/** Shown in place of a list without rows. */
	readonly notice: Omit<NoticeProps, 'width' | 'height'>;
	readonly openLabel: string;
	/** The hints of the keys of its own. */
	readonly hints?: ReadonlyArray<Hint | undefined>;
	readonly onOpen: (row: number) => void;
	/** Takes a key of its own; the row is -1 in an empty list. Returns false for any other key. */
	readonly onKey?: (key: Key, row: number) => boolean;
};

/** A list above the screens. The cursor stays where it is while another overlay lies above the list. */
export const ListOverlay = (props: ListOverlayProps): ReactElement => {
	const {title, note = '', action, isPlain = false, ids, lineOf, isLoading = false, notice, openLabel, hints = [], onOpen, onKey = () => false} = props;
	const {store, keymap} = useUiServices();
	const state = useAppState();
	const {columns} = state.size;
	const [cursor, setCursor] = useRememberedState('list', initialListState);
	const {bodyRows: height, hasSpacer} = detailLayoutOf(state, isPlain);
	const row = cursorRowOf(cursor, ids);
	const actSoon = useEarlyInput(isLoading, (key: Key): true => {
		const asked = keymap.actionOf(key.name, ['list']);
		const move = moveOf(asked);
		if (onKey(key, row)) {
			return true;
		}

		if (move !== undefined) {
			setCursor(before => moved(before, ids, move, height));
		} else if (isOpenKey(keymap, key.name) && row !== -1) {
			onOpen(row);
		}

		return true;
	});
	useKeys(layers.overlay, {
		onKey(key) {
			if (isBackKey(keymap, key.name) || keymap.keysOf(action).includes(key.name)) {
				store.dispatch({type: 'close'});
				return true;
			}

			return actSoon(key);
		},
		onMouse(event) {
			setCursor(before => withMouse(before, ids, event, {top: hasSpacer ? 2 : 1, visibleRows: height}) ?? before);
			return true;
		},
	});
	const hasRows = ids.length > 0;
	return (
		<DetailFrame
			isPlain={isPlain}
			head={<TitleLine title={title} notes={[ids.length > height ? `${row + 1} of ${ids.length}` : '', note]} {...(isPlain && {spoken: note})}/>}
			hints={[
				hasRows ? hintOf(keymap, 'open', openLabel) : undefined,
				...hints,
				hasRows ? {key: 'j/k', label: 'move'} : undefined,
				{key: 'esc', label: 'back', isKept: true},
			].filter(hint => hint !== undefined)}
		>
			{hasRows
				? <List state={cursor} ids={ids} visibleRows={height} lineOf={lineOf}/>
				: <Notice width={columns} height={height} {...notice}/>}
		</DetailFrame>
	);
};
