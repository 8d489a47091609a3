export {List} from './list.tsx';
export {
	atRow,
	cursorRowOf,
	initialListState,
	moved,
	settled,
	topRowOf,
	type ListState,
	type Move,
} from './list-state.ts';
export {moveOf} from './list-keys.ts';
