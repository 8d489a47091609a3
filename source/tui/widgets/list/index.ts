export {List} from './list.tsx';
export {
	atRow,
	cursorRowOf,
	initialListState,
	moved,
	settled,
	targetRow,
	type ListState,
	type Move,
} from './list-state.ts';
export {moveOf, paneMoveOf} from './list-keys.ts';
