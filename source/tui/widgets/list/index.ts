export {List} from './list.tsx';
export {
	atRow,
	cursorRowOf,
	initialListState,
	moved,
	settled,
	targetRow,
	visibleIds,
	type ListState,
	type Move,
} from './list-state.ts';
export {lineMoveOf, moveOf, paneMoveOf} from './list-keys.ts';
