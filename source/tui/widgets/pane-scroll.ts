import {createContext, useContext, useLayoutEffect} from 'react';
import {type Move} from './list/list-state.ts';
import {type ScreenMemory} from './use-remembered-state.ts';
import {useTextScroll, type TextScroll} from './use-text-scroll.ts';

/** Scrolls the details of one record, as long as they stand beside the list. */
export type PaneScroll = {
	readonly recordId: number;
	readonly memory: ScreenMemory;
	/** Scrolls the details, as soon as they are drawn: the key that moved the cursor to them may come in the same chunk. */
	move(move: Move): void;
	/** Called by the details with each frame. The function returned detaches them. */
	attach(onMove: (move: Move) => void): () => void;
};

/** The scrolling of one record's details, which start at their top. */
export const createPaneScroll = (recordId: number): PaneScroll => {
	let listener: ((move: Move) => void) | undefined;
	let early: readonly Move[] = [];
	return {
		recordId,
		memory: new Map(),
		move(move) {
			if (listener === undefined) {
				early = [...early, move];
			} else {
				listener(move);
			}
		},
		attach(onMove) {
			listener = onMove;
			const missed = early;
			early = [];
			for (const move of missed) {
				onMove(move);
			}

			return () => {
				listener = undefined;
			};
		},
	};
};

export const PaneScrollContext = createContext<PaneScroll | undefined>(undefined);

/** The scrolling of a text beside a list, which has the keys. Without a `PaneScroll` above it the text stays at its top. */
export const usePaneScroll = (lineCount: number, height: number): Pick<TextScroll, 'top' | 'position'> => {
	const scroll = useContext(PaneScrollContext);
	const {top, move, position} = useTextScroll(lineCount, height);
	useLayoutEffect(() => scroll?.attach(move));
	return {top, position};
};
