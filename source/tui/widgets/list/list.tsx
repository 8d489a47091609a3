import {type ReactElement} from 'react';
import {Box} from 'ink';
import {Lines} from '../lines.tsx';
import {type Line} from '../styled-text.ts';
import {cursorRowOf, topRowOf, type ListState} from './list-state.ts';

type ListProps = {
	readonly state: ListState;
	/** Ids of all rows, in order. */
	readonly ids: readonly number[];
	readonly visibleRows: number;
	/** The row of this index as a line, no wider than the list. Called for visible rows only. */
	readonly lineOf: (row: number, isCursor: boolean) => Line;
};

/** A list that draws only its visible rows: ten thousand cost as much as twenty. */
export const List = ({state, ids, visibleRows, lineOf}: ListProps): ReactElement => {
	const topRow = topRowOf(state, ids, visibleRows);
	const cursorRow = cursorRowOf(state, ids);
	const count = Math.max(0, Math.min(visibleRows, ids.length - topRow));
	return (
		<Box flexDirection='column' height={visibleRows} flexShrink={0} overflow='hidden'>
			<Lines lines={Array.from({length: count}, (_, index) => lineOf(topRow + index, topRow + index === cursorRow))}/>
		</Box>
	);
};
