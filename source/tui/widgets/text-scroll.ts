import {createContext, useContext, useEffect, useState} from 'react';
import {wheelRows, type MouseReport} from '../../terminal/mouse.ts';
import {targetRow, type Move} from '../state/list-state.ts';

/** The state that a screen keeps while another one covers it, by name. */
export type ScreenMemory = Map<string, unknown>;

export const ScreenMemoryContext = createContext<ScreenMemory | undefined>(undefined);

/**
Returns state that outlives its screen: a covered screen comes back as it was left. Without a memory above it the state is lost with the
screen.
*/
export function useRememberedState<State>(name: string, initial: State): readonly [State, (change: (before: State) => State) => void] {
	const memory = useContext(ScreenMemoryContext);
	const [value, setValue] = useState<State>(() => (memory?.has(name) ? (memory.get(name) as State) : initial));
	return [
		value,
		change =>
			setValue(before => {
				const next = change(before);
				memory?.set(name, next);
				return next;
			}),
	];
}

/** Returns a value that is created once, and outlives its screen. */
export function useRemembered<Value>(name: string, create: () => Value): Value {
	const memory = useContext(ScreenMemoryContext);
	const [value] = useState(() => (memory?.get(name) as Value | undefined) ?? create());
	memory?.set(name, value);
	return value;
}

/** Returns a value, or its last value once there is none: the name of a deleted record, for example. */
export function useLastKnown<Value>(name: string, value: Value | undefined): Value | undefined {
	const [last, setLast] = useRememberedState<Value | undefined>(name, value);
	useEffect(() => {
		if (value !== undefined) {
			setLast(() => value);
		}
	}, [value]);
	return value ?? last;
}

/** Scrolls a text of `lineCount` lines in `height` rows, with the moves of a list. */
export function useTextScroll(lineCount: number, height: number) {
	const [wanted, setWanted] = useRememberedState('scroll', 0);
	const last = Math.max(0, lineCount - height);
	const top = Math.min(wanted, last);
	const within = (line: number): number => Math.min(last, Math.max(0, line));

	return {
		/** The first visible line. */
		top,
		move: (move: Move): void => setWanted(before => targetRow(move, within(before), last + 1, height)),
		/** Scrolls by a step of the wheel. */
		turnWheel({kind}: MouseReport): boolean {
			const by = kind === 'press' ? 0 : kind === 'wheel-down' ? wheelRows : -wheelRows;
			setWanted(before => within(within(before) + by));
			return true;
		},
		/** Scrolls a line into view, unless it is visible already. */
		show(line: number): void {
			setWanted(before => {
				const now = within(before);
				// The lines around it should be visible too.
				return line >= now && line < now + height ? now : within(line - Math.floor(height / 3));
			});
		},
		/** Such as “1–20 of 31”; empty if the whole text is visible. */
		position: lineCount <= height ? '' : `${top + 1}–${Math.min(lineCount, top + height)} of ${lineCount}`,
	};
}

export type TextScroll = ReturnType<typeof useTextScroll>;
