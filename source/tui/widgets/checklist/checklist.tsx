import {type ReactElement} from 'react';
import {categoryLabel} from '../../../interface/categories.ts';
import {parseFilter} from '../../state/filter.ts';
import {signs} from '../../state/signs.ts';
import {List} from '../list/index.ts';
import {rowLine, type Cell} from '../row.ts';
import {type ChecklistState} from './checklist-state.ts';

export type ChecklistItem = {
	readonly id: number;
	readonly name: string;
	readonly category: string;
	readonly triggerPhrases: readonly string[];
};

type ChecklistProps = {
	readonly state: ChecklistState;
	/** Ids of the rows that match the filter, in order. */
	readonly ids: readonly number[];
	readonly itemOf: (id: number) => ChecklistItem;
	readonly visibleRows: number;
	/** True if the words of the filter match letters with others in between. */
	readonly isFuzzy: boolean;
	/** The width of each column; 0 if it has no room. */
	readonly columns: {readonly name: number; readonly category: number; readonly phrases: number};
};

/** Rows with a box: `[x]` if one is chosen. */
export const Checklist = ({state, ids, isFuzzy, itemOf, visibleRows, columns}: ChecklistProps): ReactElement => {
	const filter = parseFilter(state.filter).highlight(isFuzzy);
	return (
		<List
			state={state.list}
			ids={ids}
			visibleRows={visibleRows}
			lineOf={(row, isCursor) => {
				const {id, name, category, triggerPhrases} = itemOf(ids[row]!);
				const isChosen = state.marks.has(id);
				const label = categoryLabel(category);
				const cells: readonly Cell[] = [
					{
						text: label || signs.none, width: columns.category, tone: 'secondary', positions: filter.matchPositionsInText(label),
					},
					{
						text: triggerPhrases.join(', ') || signs.none, width: columns.phrases, positions: filter.matchPositionsInPhrases(triggerPhrases),
					},
				];
				return rowLine({
					isCursor,
					isMarked: false,
					state: isChosen ? signs.chosen : signs.notChosen,
					stateTone: isChosen ? 'on' : 'off',
					name,
					positions: filter.matchPositions(name),
					nameWidth: columns.name,
					cells: cells.filter(({width}) => width > 0),
				});
			}}
		/>
	);
};
