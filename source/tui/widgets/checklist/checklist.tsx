import {type ReactElement} from 'react';
import {categoryLabel} from '../../../interface/categories.ts';
import {parseFilter} from '../../state/filter.ts';
import {List} from '../list/index.ts';
import {Row, type Cell} from '../row.tsx';
import {type ChecklistState} from './checklist-state.ts';

export type ChecklistItem = {
	readonly id: number;
	readonly name: string;
	readonly category: string;
	readonly triggerPhrases: readonly string[];
};

export type ChecklistProps = {
	readonly state: ChecklistState;
	/** Ids of the rows that the filter leaves, in order. */
	readonly ids: readonly number[];
	readonly itemOf: (id: number) => ChecklistItem;
	readonly visibleRows: number;
	/** 0 where there is no room for a column. */
	readonly columns: {readonly name: number; readonly category: number; readonly phrases: number};
};

/** Rows with a box before each: `[x]` where it is chosen. */
export const Checklist = ({state, ids, itemOf, visibleRows, columns}: ChecklistProps): ReactElement => {
	const {placesIn} = parseFilter(state.filter);
	return (
		<List
			state={state.list}
			ids={ids}
			visibleRows={visibleRows}
			renderRow={(row, isCursor) => {
				const {id, name, category, triggerPhrases} = itemOf(ids[row]!);
				const isChosen = state.marks.has(id);
				const cells: readonly Cell[] = [
					{
						column: 'category', text: categoryLabel(category) || '–', width: columns.category, tone: 'secondary',
					},
					{column: 'phrases', text: triggerPhrases.join(', ') || '–', width: columns.phrases},
				];
				return (
					<Row
						key={id}
						isCursor={isCursor}
						isMarked={false}
						state={isChosen ? '[x]' : '[ ]'}
						stateTone={isChosen ? 'on' : 'off'}
						name={name}
						places={placesIn(name)}
						nameWidth={columns.name}
						cells={cells.filter(({width}) => width > 0)}
					/>
				);
			}}
		/>
	);
};
