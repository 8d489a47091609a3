import type {ScreenSize} from '../../../source/tui/state/app-state.ts';

/** The usual terminal, and the smallest that shows every part of a screen. */
export const wide: ScreenSize = {columns: 80, rows: 24};
export const small: ScreenSize = {columns: 40, rows: 10};
