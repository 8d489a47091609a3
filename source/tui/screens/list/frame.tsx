import {type ReactElement, type ReactNode} from 'react';
import {Box, Text, useIsScreenReaderEnabled} from 'ink';
import {useAppState, useProgram} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {hintOf, hintsFor} from '../../keys/hints.ts';
import {placesOf} from '../../keys/key-table.ts';
import {screenNames, type ScreenName} from '../../state/app-state.ts';
import {filterHints} from '../../state/filter-syntax.ts';
import {sortText} from '../../state/sort.ts';
import {layoutOf} from '../../state/layout.ts';
import {spokenRow} from '../../terminal/spoken-lines.ts';
import {ColumnHeader, type HeadedColumn} from '../../widgets/column-header.tsx';
import {Header} from '../../widgets/header.tsx';
import {HintLine} from '../../widgets/hint-line.tsx';
import {MessageLine} from '../../widgets/message-line.tsx';
import {Tabs} from '../../widgets/tabs.tsx';
import {type ListHead} from './columns.ts';
import {statusOf} from './status.ts';

const titles: Readonly<Record<ScreenName, string>> = {agents: 'Agents', abilities: 'Abilities', installed: 'Installed'};

export type FrameProps = {
	readonly resource: ResourceState<unknown>;
	readonly counts: string;
	readonly shownCount: number;
	readonly totalCount: number;
	readonly markedCount: number;
	/** The columns of the list; none while there is nothing in it. */
	readonly head: ListHead | undefined;
	/** Details beside the list. */
	readonly pane: ReactElement | undefined;
	readonly children: ReactNode;
};

/** What stands around a list: header, tabs, message and hints. */
export const Frame = ({resource, counts, shownCount, totalCount, markedCount, head, pane, children}: FrameProps): ReactElement => {
	const {startedAt, isReadOnly, keymap, profileMark} = useProgram();
	const session = useServiceSession();
	const state = useAppState();
	const {size, screen, messages, progress} = state;
	const {filter, isFilterOpen, sort, range} = state.views[screen];
	const layout = layoutOf(state);
	const status = statusOf(resource, Math.max(startedAt, resource.asOf));
	const isFiltered = filter !== '' || isFilterOpen;
	const isListened = useIsScreenReaderEnabled();
	// Each move marks now: nothing else on the screen says so.
	const rangeHint = range === undefined ? undefined : hintOf(keymap, 'mark-range', 'end the range');
	const hints = isFilterOpen ? filterHints(filter) : [...(rangeHint === undefined ? [] : [rangeHint]), ...hintsFor(keymap, placesOf[screen])];
	const headed = (head?.columns ?? []).map(({column, width}): HeadedColumn => ({
		title: column,
		width,
		order: column === sort.column ? (sort.isReversed ? 'down' : 'up') : undefined,
	}));
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Header
				width={layout.columns}
				profileName={session.profileName}
				profileMark={profileMark()}
				place={session.place}
				badges={[...(isReadOnly ? ['read-only'] : []), ...(session.isInsecure ? ['insecure http'] : [])]}
				status={status.text}
				statusTone={status.tone}
				counts={counts}
			/>
			<Tabs
				width={layout.columns}
				tabs={screenNames.map(name => ({key: keymap.keysOf(name)[0] ?? '·', title: titles[name], isCurrent: name === screen}))}
				filter={isFiltered ? filter : undefined}
				isFilterOpen={isFilterOpen}
				order={sortText(sort)}
				markedCount={markedCount}
				shownCount={shownCount}
				totalCount={totalCount}
			/>
			{layout.isRoomy ? <ColumnHeader indent={head?.indent ?? 0} columns={headed}/> : null}
			<Box flexShrink={0}>
				<Box flexDirection='column' width={layout.listColumns} flexShrink={0}>{children}</Box>
				{pane}
			</Box>
			{layout.isRoomy ? <Text aria-hidden> </Text> : null}
			{isListened && isFilterOpen ? <Text>{spokenRow(true, `/${filter}`)}</Text> : null}
			{layout.messageRows > 0 ? <MessageLine width={layout.columns} height={layout.messageRows} text={messages.shown?.text ?? progress} level={messages.shown?.level}/> : null}
			{layout.hasHints ? <HintLine width={layout.columns} hints={hints}/> : null}
		</Box>
	);
};
