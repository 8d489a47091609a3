import {createContext, useContext, useLayoutEffect} from 'react';
import {type Move} from './list/list-state.ts';
import {useTextScroll, type TextScroll} from './use-text-scroll.ts';

/** How the details of one record are scrolled from outside, as long as they stand beside the list. */
export type PaneScroll = {
	readonly recordId: number;
	/** Scrolls them; those that are yet to be drawn do it then, for the cursor's move and this may come in one chunk. */
	move(move: Move): void;
	/** Told by the details, with each frame, how they scroll; the function returned says that they are gone. */
	attach(onMove: (move: Move) => void): () => void;
};

/** The scrolling of one record's details, which begin at their top. */
export const createPaneScroll = (recordId: number): PaneScroll => {
	let listener: ((move: Move) => void) | undefined;
	let early: readonly Move[] = [];
	return {
		recordId,
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

/** Scrolls a text by itself where a list has the keys; without a `PaneScroll` above it the text stays at its top. */
export const usePaneScroll = (lineCount: number, height: number): Pick<TextScroll, 'top' | 'position'> => {
	const scroll = useContext(PaneScrollContext);
	const {top, move, position} = useTextScroll(lineCount, height);
	useLayoutEffect(() => scroll?.attach(move));
	return {top, position};
};
