import {useMemo, useRef} from 'react';
import {useProgram} from '../../app-context.ts';
import {type ScreenName, type View} from '../../state/app-state.ts';
import {parseFilter} from '../../state/filter.ts';
import {chooseRows, type Listable} from '../../state/rows.ts';

export type Listed = {readonly id: number; readonly name: string};

export type Rows<Record_> = {
	readonly ids: readonly number[];
	recordOf(id: number | undefined): Record_ | undefined;
};

/**
What the choice and order of rows hangs on: the view, and which records there are. What a record says does not count:
a row that is switched off stays where it is under a filter for what is on, until that is asked anew. Which agents have
it comes later than the filter that asks for it.
*/
const choiceKey = (view: View, recordIds: string, tiesKey: string): string => {
	const {asksForMarks, asksForAgents} = parseFilter(view.filter);
	return [
		view.filter,
		view.sort.column,
		view.sort.isReversed,
		view.generation,
		asksForMarks ? [...view.marks].join(' ') : '',
		asksForAgents ? tiesKey : '',
		recordIds,
	].join('\n');
};

/**
The rows of a list, for drawing and for keys.

@returns `rowsOf`, which gives the rows as of a view: a key before in the same chunk may have changed it since the frame.
*/
export const useRows = <Record_ extends Listed>(
	screen: ScreenName,
	records: readonly Record_[],
	toListable: (record: Record_) => Listable,
	tiesKey = '',
): ((view: View) => Rows<Record_>) => {
	const {store} = useProgram();
	const recordIds = useMemo(() => records.map(({id}) => id).join(' '), [records]);
	const byId = useMemo(() => new Map(records.map(record => [record.id, record])), [records]);
	const chosen = useRef<{readonly key: string; readonly ids: readonly number[]} | undefined>(undefined);
	return view => {
		const key = choiceKey(view, recordIds, tiesKey);
		if (chosen.current?.key !== key) {
			const {marks} = store.getState().views[screen];
			chosen.current = {
				key,
				ids: chooseRows(records, {
					...view,
					toListable: record => ({...toListable(record), isMarked: marks.has(record.id)}),
				}),
			};
		}

		return {ids: chosen.current.ids, recordOf: id => id === undefined ? undefined : byId.get(id)};
	};
};
