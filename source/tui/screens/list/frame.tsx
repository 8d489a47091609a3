import {useLayoutEffect, type ReactElement, type ReactNode} from 'react';
import {
	Box,
	renderToString,
	Text,
	useIsScreenReaderEnabled,
} from 'ink';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {screenNames, type ScreenName} from '../../state/view.ts';
import {sortColumns, directionOf, sortText} from '../../state/sort.ts';
import {layoutOf, messageLineOf} from '../../state/layout.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {ColumnHeader, type HeadedColumn} from '../../widgets/column-header.tsx';
import {Header} from '../../widgets/header.tsx';
import {HintLine} from '../../widgets/hint-line.tsx';
import {MessageLine} from '../../widgets/message-line.tsx';
import {Tabs} from '../../widgets/tabs.tsx';
import {type ListHead} from './columns.ts';
import {statusAtStart, statusOf, type Status} from './status.ts';
import {useHints} from './use-hints.ts';

const titles: Readonly<Record<ScreenName, string>> = {agents: 'Agents', abilities: 'Abilities', installed: 'Installed'};

type FrameProps = {
	readonly resource: ResourceState<unknown>;
	readonly counts: string;
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

/** The frame around a list: header, tabs, message and hints. */
export const Frame = ({resource, counts, shownCount, totalCount, markedCount, cursorRow, head, pane, children}: FrameProps): ReactElement => {
	const {startedAt, isReadOnly, keymap, profileMark, onScreen} = useUiServices();
	const session = useServiceSession();
	const state = useAppState();
	const {size, screen} = state;
	const {filter, isFilterOpen, sort, isSortOpen} = state.views[screen];
	const layout = layoutOf(state);
	const status = statusOf(resource, Math.max(startedAt, resource.asOf));
	const isFiltered = filter !== '' || isFilterOpen;
	const isScreenReader = useIsScreenReaderEnabled();
	const hints = useHints(markedCount > 0);
	const headed = (head ?? []).map(({column, ...widths}): HeadedColumn => ({
		...widths,
		title: column,
		order: column === sort.column ? directionOf(sort) : undefined,
		number: isSortOpen ? sortColumns[screen].indexOf(column) + 1 : undefined,
	}));
	const message = messageLineOf(state);
	const header = ({text, tone}: Status): ReactElement => (
		<Header
			width={layout.columns}
			profileName={session.profileName}
			profileMark={profileMark()}
			hostLabel={session.hostLabel}
			badges={[...(isReadOnly ? ['read-only'] : []), ...(session.isInsecure ? ['insecure http'] : [])]}
			status={text}
			statusTone={tone}
			counts={counts}
		/>
	);
	useLayoutEffect(() => {
		if (resource.records !== undefined) {
			onScreen?.({
				session,
				state,
				records: resource.records,
				header: now => renderToString(header(statusAtStart(resource, now)), {columns: layout.columns}),
			});
		}
	});
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			{header(status)}
			<Tabs
				width={layout.columns}
				tabs={screenNames.map(name => ({key: keymap.keysOf(name)[0] ?? '·', title: titles[name], isCurrent: name === screen}))}
				filter={isFiltered ? filter : undefined}
				isFilterOpen={isFilterOpen}
				order={sortText(sort)}
				markedCount={markedCount}
				shownCount={shownCount}
				totalCount={totalCount}
				cursorRow={shownCount > layout.listRows ? cursorRow + 1 : undefined}
			/>
			{layout.isRoomy ? <ColumnHeader columns={headed}/> : null}
			<Box flexShrink={0}>
				<Box flexDirection='column' width={layout.listColumns} flexShrink={0}>{children}</Box>
				{pane}
			</Box>
			{layout.isRoomy ? <Text aria-hidden> </Text> : null}
			{isScreenReader && isFilterOpen ? <Text>{spokenRow(true, `/${filter}`)}</Text> : null}
			{layout.messageRows > 0 ? <MessageLine width={layout.columns} height={layout.messageRows} text={message.text} level={message.level}/> : null}
			{layout.hasHints ? <HintLine width={layout.columns} hints={hints}/> : null}
		</Box>
	);
};
