export {List} from './list.tsx';
export {
	cursorRowOf,
	initialListState,
	moved,
	settled,
	type ListState,
	type Move,
} from './list-state.ts';
export {moveOf} from './list-keys.ts';
