import {useMemo, type ReactElement} from 'react';
import {useAppState} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {parseFilter} from '../../state/filter.ts';
import {type Highlight} from '../../state/highlight.ts';
import {layoutOf} from '../../state/layout.ts';
import {cursorRowOf, List, visibleIds} from '../../widgets/list/index.ts';
import {type PaneDetails} from '../../widgets/pane.tsx';
import {type Line} from '../../widgets/styled-text.ts';
import {useShownAges} from '../use-shown-ages.ts';
import {type ListHead} from './columns.ts';
import {DetailPane} from './detail-pane.tsx';
import {Frame} from './frame.tsx';
import {ListNotice} from './list-notice.tsx';
import {paneScrollOf} from './pane-scrolls.ts';
import {useListActions, type ListActionsOptions} from './use-list-actions.ts';
import {useListKeys} from './use-list-keys.ts';
import {useListRows, type ListRowsOptions} from './use-list-rows.ts';
import {useSpokenResource} from './use-spoken-resource.ts';
import {type Listed} from './use-rows.ts';
import {useReportFailure} from './use-report-failure.ts';

export type RowLook = {
	readonly isCursor: boolean;
	readonly isMarked: boolean;
	/** True if it was changed elsewhere, and perhaps not seen yet. */
	readonly isChanged: boolean;
	/** Shows where the record matches the filter. */
	readonly filter: Highlight;
};

/** Past this many rows, which are more than are ever on a screen, all are forgotten. */
const maximumKeptRows = 1000;

/** Draws a row once for each of its looks: most of them stay as they are from key to key. */
const withKeptLines = <Record_ extends Listed>(lineOf: (record: Record_, look: RowLook) => Line, filter: Highlight) => {
	/** By the record's id and its look. */
	const kept = new Map<number, Line[]>();
	return (record: Record_, look: Omit<RowLook, 'filter'>): Line => {
		const lines = kept.get(record.id) ?? [];
		const index = Number(look.isCursor) + (2 * Number(look.isMarked)) + (4 * Number(look.isChanged));
		lines[index] ??= lineOf(record, {...look, filter});
		if (kept.size >= maximumKeptRows) {
			kept.clear();
		}

		kept.set(record.id, lines);
		return lines[index];
	};
};

type ListScreenProps<Record_ extends Listed> = ListRowsOptions<Record_> & ListActionsOptions<Record_> & {
	readonly emptyHint: string;
	readonly head: ListHead;
	/** What the header says beside the status. */
	readonly counts: string;
	readonly lineOf: (record: Record_, look: RowLook) => Line;
	/** The details beside the list on a wide screen. */
	readonly detailsOf: (record: Record_) => PaneDetails;
};

/** What the three screens share: the list, the details beside it and the frame around them. */
export const ListScreen = <Record_ extends Listed>(props: ListScreenProps<Record_>): ReactElement => {
	const {screen, plural, emptyHint, head, resource, counts, lineOf, detailsOf} = props;
	const session = useServiceSession();
	const view = useAppState(({views}) => views[screen]);
	const listRows = useAppState(state => layoutOf(state).listRows);
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const paneColumns = useAppState(state => layoutOf(state).paneColumns);
	const rows = useListRows(props);
	const {ids, isFuzzy, recordOf} = rows.rowsOf(view);
	useListKeys(props, useListActions(props, rows));
	useReportFailure(props, resource);
	const spokenResource = useSpokenResource(resource);
	const highlight = useMemo(() => parseFilter(view.filter).highlight(isFuzzy), [view.filter, isFuzzy]);
	const keptLineOf = useMemo(() => withKeptLines(lineOf, highlight), [lineOf, highlight]);
	const cursorRow = cursorRowOf(view.list, ids);
	const cursorRecord = recordOf(ids[cursorRow]);
	const agedIds = head.some(({column}) => column === 'changed') ? visibleIds(view.list, ids, listRows) : [];
	useShownAges([...agedIds.map(id => recordOf(id)?.changedAt), paneColumns > 0 ? cursorRecord?.changedAt : undefined]);
	const pane = paneColumns > 0 && cursorRecord !== undefined
		? <DetailPane key={cursorRecord.id} scroll={paneScrollOf(session, screen, cursorRecord.id)} details={detailsOf(cursorRecord)} width={paneColumns} height={listRows}/>
		: undefined;
	const totalCount = rows.all.length;
	return (
		<Frame
			resource={spokenResource}
			counts={counts}
			shownCount={ids.length}
			totalCount={totalCount}
			markedCount={[...view.marks].filter(id => recordOf(id) !== undefined).length}
			cursorRow={cursorRow}
			head={totalCount === 0 ? undefined : head}
			pane={pane}
		>
			{ids.length === 0
				? <ListNotice width={listColumns} height={listRows} plural={plural} emptyHint={emptyHint} filter={view.filter} hasRecords={totalCount > 0} resource={spokenResource}/>
				: (
					<List
						state={view.list}
						ids={ids}
						visibleRows={listRows}
						lineOf={(row, isCursor) => {
							const record = recordOf(ids[row])!;
							return keptLineOf(record, {isCursor, isMarked: view.marks.has(record.id), isChanged: rows.hasChangeSign(record)});
						}}
					/>
				)}
		</Frame>
	);
};
