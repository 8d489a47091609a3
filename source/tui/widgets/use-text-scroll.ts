import {createContext, useContext, useState} from 'react';
import {type Move} from './list/list-state.ts';

/** How far texts were scrolled, by what they were shown for: what lay under something else is drawn anew once that is closed. */
const tops = new WeakMap<object, number>();

/** What a text is shown for; as long as that object lives, the text comes back where it was left. */
export const ScrollOwnerContext = createContext<object | undefined>(undefined);

export type TextScroll = {
	/** The first line on the screen. */
	readonly top: number;
	move(move: Move): void;
	/** Such as “1–20 of 31”; empty where all of it is on the screen. */
	readonly position: string;
};

/** Scrolls a text of so many lines in a place of so many, by the moves of the lists. */
export const useTextScroll = (lineCount: number, height: number): TextScroll => {
	const owner = useContext(ScrollOwnerContext);
	const [wanted, setWanted] = useState(() => (owner && tops.get(owner)) ?? 0);
	const last = Math.max(0, lineCount - height);
	const top = Math.min(wanted, last);
	const half = Math.max(1, Math.floor(height / 2));
	const page = Math.max(1, height - 1);
	const steps: Readonly<Record<Move, number>> = {
		down: 1,
		up: -1,
		'half-page-down': half,
		'half-page-up': -half,
		'page-down': page,
		'page-up': -page,
		first: -Infinity,
		last: Infinity,
	};
	return {
		top,
		move(move) {
			setWanted(before => {
				const next = Math.min(last, Math.max(0, Math.min(before, last) + steps[move]));
				if (owner !== undefined) {
					tops.set(owner, next);
				}

				return next;
			});
		},
		position: lineCount <= height ? '' : `${top + 1}–${Math.min(lineCount, top + height)} of ${lineCount}`,
	};
};
