import {targetRow, type Move} from './list/index.ts';
import {useRememberedState} from './use-remembered-state.ts';

export type TextScroll = {
	/** The first line on the screen. */
	readonly top: number;
	move(move: Move): void;
	/** Scrolls a line into view, unless it is in view. */
	show(line: number): void;
	/** Such as “1–20 of 31”; empty if the whole text is on the screen. */
	readonly position: string;
};

/** Scrolls a text of `lineCount` lines in `height` rows, with the moves of a list. */
export const useTextScroll = (lineCount: number, height: number): TextScroll => {
	const [wanted, setWanted] = useRememberedState('scroll', 0);
	const last = Math.max(0, lineCount - height);
	const top = Math.min(wanted, last);
	const within = (line: number): number => Math.min(last, Math.max(0, line));

	return {
		top,
		move(move) {
			setWanted(before => targetRow(move, within(before), last + 1, height));
		},
		show(line) {
			setWanted(before => {
				const now = within(before);
				// The lines around it should be in view too.
				return line >= now && line < now + height ? now : within(line - Math.floor(height / 3));
			});
		},
		position: lineCount <= height ? '' : `${top + 1}–${Math.min(lineCount, top + height)} of ${lineCount}`,
	};
};
