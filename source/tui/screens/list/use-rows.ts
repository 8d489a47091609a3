import {useMemo} from 'react';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ScreenName, type View} from '../../state/app-state.ts';
import {parseFilter, type Filter} from '../../state/filter.ts';
import {
	createRowChooser,
	type ChosenRows,
	type RowData,
	type RowChooser,
} from '../../state/rows.ts';

export type Listed = {readonly id: number; readonly name: string};

export type Rows<Record_> = ChosenRows & {
	recordOf(id: number | undefined): Record_ | undefined;
};

/** What `toListable` hangs on beside the record. */
export type RowsBasis = {
	/** What it says of agents, in a word: another one where it says something else. */
	readonly tiesKey?: string | undefined;
	/** False while it is not known what is on. */
	readonly areStatesRead?: boolean | undefined;
	/** What it says of failures and of changes made elsewhere, in a word. */
	readonly eventsKey?: string | undefined;
};

type Chosen = ChosenRows & {readonly screen: ScreenName; readonly key: string; readonly eventsKey: string};

/**
Kept outside the screens: a look at help or at a record takes those away, and the rows come back as they were left. Those
of the screen shown last alone: whoever comes back from another screen asks anew.
*/
const chosenRows: MemoryKey<{newest?: Chosen}> = {create: () => ({})};

const choosers: MemoryKey<Readonly<Record<ScreenName, RowChooser>>> = {
	create: () => ({agents: createRowChooser(), abilities: createRowChooser(), installed: createRowChooser()}),
};

/** The rows of a list as it was left, from the first to the last; `undefined` where another one was shown since. */
export const rowsLeft = (session: ServiceSession, screen: ScreenName): readonly number[] | undefined => {
	const {newest} = session.memory.get(chosenRows);
	return newest?.screen === screen ? newest.ids : undefined;
};

/**
What the choice and order of rows hangs on: the view, and which records there are. What a record says does not count:
a row that is switched off stays where it is under a filter for what is on, until that is asked anew. Which agents have
it comes later than the filter that asks for it, and whether an ability is on perhaps later than the ability.
*/
const choiceKey = (view: View, {asksForMarks, asksForAgents}: Filter, recordIds: string, {tiesKey = '', areStatesRead = true}: RowsBasis): string => [
	view.filter,
	view.sort.column,
	view.sort.isReversed,
	view.generation,
	asksForMarks ? [...view.marks].join(' ') : '',
	asksForAgents ? tiesKey : '',
	areStatesRead,
	recordIds,
].join('\n');

/**
The rows of a list, for drawing and for keys.

@returns `rowsOf`, which gives the rows as of a view: a key before in the same chunk may have changed it since the frame.
*/
export const useRows = <Record_ extends Listed>(
	screen: ScreenName,
	records: readonly Record_[],
	toListable: (record: Record_) => RowData,
	basis: RowsBasis = {},
): ((view: View) => Rows<Record_>) => {
	const {store} = useUiServices();
	const session = useServiceSession();
	const recordIds = useMemo(() => records.map(({id}) => id).join(' '), [records]);
	const byId = useMemo(() => new Map(records.map(record => [record.id, record])), [records]);
	return view => {
		const filter = parseFilter(view.filter);
		const key = choiceKey(view, filter, recordIds, basis);
		const eventsKey = filter.asksForEvents ? basis.eventsKey ?? '' : '';
		const kept = session.memory.get(chosenRows);
		const before = kept.newest;
		let chosen = before?.screen === screen && before.key === key ? before : undefined;
		if (chosen?.eventsKey !== eventsKey) {
			const {marks} = store.getState().views[screen];
			// What failed or was changed since comes to what is there: a row does not go while it is acted on.
			const idsBefore = chosen && new Set(chosen.ids);
			chosen = {
				screen,
				key,
				eventsKey,
				...session.memory.get(choosers)[screen](records, {
					...view,
					toListable: record => ({...toListable(record), isMarked: marks.has(record.id)}),
					isKept: idsBefore && (id => idsBefore.has(id)),
				}),
			};
			kept.newest = chosen;
		}

		return {ids: chosen.ids, areLettersEnough: chosen.areLettersEnough, recordOf: id => id === undefined ? undefined : byId.get(id)};
	};
};
