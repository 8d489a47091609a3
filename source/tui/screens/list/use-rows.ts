import {useMemo} from 'react';
import {useProgram} from '../../app-context.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type ScreenName, type View} from '../../state/app-state.ts';
import {parseFilter} from '../../state/filter.ts';
import {chooseRows, type Listable} from '../../state/rows.ts';

export type Listed = {readonly id: number; readonly name: string};

export type Rows<Record_> = {
	readonly ids: readonly number[];
	recordOf(id: number | undefined): Record_ | undefined;
};

/** What `toListable` hangs on beside the record. */
export type RowsBasis = {
	/** What it says of agents, in a word: another one where it says something else. */
	readonly tiesKey?: string | undefined;
	/** False while it is not known what is on. */
	readonly areStatesRead?: boolean | undefined;
};

type Chosen = {readonly screen: ScreenName; readonly key: string; readonly ids: readonly number[]};

/**
Kept outside the screens: a look at help or at a record takes those away, and the rows come back as they were left. Those
of the screen shown last alone: whoever comes back from another screen asks anew.
*/
const chosenRows = new WeakMap<ServiceSession, Chosen>();

/**
What the choice and order of rows hangs on: the view, and which records there are. What a record says does not count:
a row that is switched off stays where it is under a filter for what is on, until that is asked anew. Which agents have
it comes later than the filter that asks for it, and whether an ability is on perhaps later than the ability.
*/
const choiceKey = (view: View, recordIds: string, {tiesKey = '', areStatesRead = true}: RowsBasis): string => {
	const {asksForMarks, asksForAgents} = parseFilter(view.filter);
	return [
		view.filter,
		view.sort.column,
		view.sort.isReversed,
		view.generation,
		asksForMarks ? [...view.marks].join(' ') : '',
		asksForAgents ? tiesKey : '',
		areStatesRead,
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
	basis: RowsBasis = {},
): ((view: View) => Rows<Record_>) => {
	const {store} = useProgram();
	const session = useServiceSession();
	const recordIds = useMemo(() => records.map(({id}) => id).join(' '), [records]);
	const byId = useMemo(() => new Map(records.map(record => [record.id, record])), [records]);
	return view => {
		const key = choiceKey(view, recordIds, basis);
		let chosen = chosenRows.get(session);
		if (chosen?.screen !== screen || chosen.key !== key) {
			const {marks} = store.getState().views[screen];
			chosen = {
				screen,
				key,
				ids: chooseRows(records, {
					...view,
					toListable: record => ({...toListable(record), isMarked: marks.has(record.id)}),
				}),
			};
			chosenRows.set(session, chosen);
		}

		return {ids: chosen.ids, recordOf: id => id === undefined ? undefined : byId.get(id)};
	};
};
