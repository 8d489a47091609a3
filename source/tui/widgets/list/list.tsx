import {type ReactElement} from 'react';
import {Box} from 'ink';
import {cursorRowOf, topRowOf, type ListState} from './list-state.ts';

type ListProps = {
	readonly state: ListState;
	/** Ids of all rows, in order. */
	readonly ids: readonly number[];
	readonly visibleRows: number;
	/** Draws the row of this index on one line. Called for visible rows only. */
	readonly renderRow: (row: number, isCursor: boolean) => ReactElement;
};

/** A list that draws only its visible rows: ten thousand cost as much as twenty. */
export const List = ({state, ids, visibleRows, renderRow}: ListProps): ReactElement => {
	const topRow = topRowOf(state, ids, visibleRows);
	const cursorRow = cursorRowOf(state, ids);
	const count = Math.max(0, Math.min(visibleRows, ids.length - topRow));
	return (
		<Box flexDirection='column' height={visibleRows} flexShrink={0} overflow='hidden'>
			{Array.from({length: count}, (_, index) => renderRow(topRow + index, topRow + index === cursorRow))}
		</Box>
	);
};
