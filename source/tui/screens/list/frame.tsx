import {
	memo,
	useCallback,
	useLayoutEffect,
	useSyncExternalStore,
	type ReactElement,
	type ReactNode,
} from 'react';
import {
	Box,
	renderToString,
	Text,
	useIsScreenReaderEnabled,
} from 'ink';
import {useAppState, useUiServices, type UiServices} from '../../app-context.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {screenNames, type ScreenName} from '../../state/view.ts';
import {signs} from '../../state/signs.ts';
import {sortColumns, directionOf, sortText} from '../../state/sort.ts';
import {layoutOf, messageLineOf} from '../../state/layout.ts';
import {withLongDots} from '../../terminal/ascii.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {ColumnHeader, type HeadedColumn} from '../../widgets/column-header.tsx';
import {Header} from '../../widgets/header.tsx';
import {HintLine} from '../../widgets/hint-line.tsx';
import {MessageLine} from '../../widgets/message-line.tsx';
import {Tabs} from '../../widgets/tabs.tsx';
import {nextDay} from '../../widgets/age.ts';
import {useRedrawAt} from '../use-shown-ages.ts';
import {type ListHead} from './columns.ts';
import {statusAtStart, statusOf, type Status} from './status.ts';
import {useHints} from './use-hints.ts';

const titles: Readonly<Record<ScreenName, string>> = {agents: 'Agents', abilities: 'Abilities', installed: 'Installed'};

type HeaderOptions = {
	readonly ui: UiServices;
	readonly session: ServiceSession;
	readonly width: number;
	readonly status: Status;
	readonly counts: string;
};

const headerOf = ({ui: {isReadOnly, isAscii, profileMark}, session, width, status, counts}: HeaderOptions): ReactElement => (
	<Header
		width={width}
		profileName={session.profileName}
		profileMark={profileMark()}
		hostLabel={session.hostLabel}
		badges={[...(isReadOnly ? [signs.readOnly] : []), ...(session.isInsecure ? [signs.insecure] : [])]}
		status={isAscii ? withLongDots(status.text) : status.text}
		statusTone={status.tone}
		counts={counts}
	/>
);

type FrameHeaderProps = {
	readonly resource: ResourceState<unknown>;
	readonly counts: string;
};

const FrameHeader = memo(({resource, counts}: FrameHeaderProps): ReactElement => {
	const ui = useUiServices();
	const session = useServiceSession();
	const width = useAppState(state => layoutOf(state).columns);
	const isIdle = useAppState(state => state.isIdle);
	const {subscribe, isOpen, isAsking} = session.changeFeed;
	const isTold = useSyncExternalStore(subscribe, isOpen);
	const isAsked = useSyncExternalStore(subscribe, isAsking);
	const bulkCount = useAppState(state => state.bulkCount);
	const now = Math.max(useAppState(state => state.now), resource.asOf);
	const status = statusOf(resource, now, isTold ? 'told' : (isIdle ? 'paused' : (isAsked ? 'asking' : 'polled')));
	// A time of today has its date from midnight on.
	useRedrawAt(status.isTimed ? nextDay(now) : Infinity);
	return headerOf({
		// While many are switched, a count of what is wanted would be taken for what is.
		ui, session, width, status, counts: bulkCount ?? counts,
	});
});

const FrameColumns = memo(({head}: {readonly head: ListHead | undefined}): ReactElement => {
	const screen = useAppState(state => state.screen);
	const sort = useAppState(({views}) => views[screen].sort);
	const isSortOpen = useAppState(({views}) => views[screen].isSortOpen);
	const headed = (head ?? []).map(({column, ...widths}): HeadedColumn => ({
		...widths,
		title: column,
		order: column === sort.column ? directionOf(sort) : undefined,
		number: isSortOpen ? sortColumns[screen].indexOf(column) + 1 : undefined,
	}));
	return <ColumnHeader columns={headed}/>;
});

type FrameFootProps = {
	readonly hasMarks: boolean;
};

/** The message and the hints. */
const FrameFoot = memo(({hasMarks}: FrameFootProps): ReactElement => {
	const columns = useAppState(state => layoutOf(state).columns);
	const messageRows = useAppState(state => layoutOf(state).messageRows);
	const hasHints = useAppState(state => layoutOf(state).hasHints);
	const text = useAppState(state => messageLineOf(state).text);
	const level = useAppState(state => messageLineOf(state).level);
	const hints = useHints(hasMarks);
	return (
		<>
			{messageRows > 0 ? <MessageLine width={columns} height={messageRows} text={text} level={level}/> : null}
			{hasHints ? <HintLine width={columns} hints={hints}/> : null}
		</>
	);
});

type FrameProps = FrameHeaderProps & {
	readonly shownCount: number;
	readonly totalCount: number;
	readonly markedCount: number;
	/** Zero-based; -1 if there is no row. */
	readonly cursorRow: number;
	/** The columns of the list; `undefined` for an empty list. */
	readonly head: ListHead | undefined;
	/** The details beside the list. */
	readonly pane: ReactElement | undefined;
	readonly children: ReactNode;
};

/** The frame around a list: header, tabs, message and hints. A move of the cursor draws the tabs again, with its row, and nothing else. */
export const Frame = ({resource, counts, shownCount, totalCount, markedCount, cursorRow, head, pane, children}: FrameProps): ReactElement => {
	const ui = useUiServices();
	const session = useServiceSession();
	const state = useAppState();
	const {size, screen} = state;
	const {filter, isFilterOpen, sort} = state.views[screen];
	const layout = layoutOf(state);
	const isFiltered = filter !== '' || isFilterOpen;
	const isScreenReader = useIsScreenReaderEnabled();
	const header = useCallback((now: number): string => renderToString(headerOf({
		ui, session, width: layout.columns, status: statusAtStart(resource, now), counts,
	}), {columns: layout.columns}), [ui, session, layout.columns, resource, counts]);
	useLayoutEffect(() => {
		if (resource.records !== undefined) {
			ui.onScreen?.({
				session, state, records: resource.records, header,
			});
		}
	});
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<FrameHeader resource={resource} counts={counts}/>
			<Tabs
				width={layout.columns}
				tabs={screenNames.map(name => ({key: ui.keymap.keysOf(name)[0] ?? '·', title: titles[name], isCurrent: name === screen}))}
				filter={isFiltered ? filter : undefined}
				isFilterOpen={isFilterOpen}
				order={sortText(sort)}
				markedCount={markedCount}
				shownCount={shownCount}
				totalCount={totalCount}
				cursorRow={shownCount > layout.listRows ? cursorRow + 1 : undefined}
			/>
			{layout.isRoomy ? <FrameColumns head={head}/> : null}
			<Box flexShrink={0}>
				<Box flexDirection='column' width={layout.listColumns} flexShrink={0}>{children}</Box>
				{pane}
			</Box>
			{layout.isRoomy ? <Text aria-hidden> </Text> : null}
			{isScreenReader && isFilterOpen ? <Text>{spokenRow(true, `/${filter}`)}</Text> : null}
			<FrameFoot hasMarks={markedCount > 0}/>
		</Box>
	);
};
