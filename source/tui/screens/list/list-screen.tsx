import cliTruncate from 'cli-truncate';
import {Box, renderToString, Text, useIsScreenReaderEnabled} from 'ink';
import {useCallback, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore, type ReactElement} from 'react';
import type {ErrorKind, SwitchboardError} from '../../../interface/errors.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import type {FeedState} from '../../hooks/change-feed.ts';
import {pollMilliseconds} from '../../hooks/list-cache.ts';
import {namesOfPeople, people} from '../../hooks/people.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import type {ResourceState} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {scopesOf} from '../../../words/key-table.ts';
import {hintOf, hintsFor, keyName, type Hint, type Keymap} from '../../../words/keymap.ts';
import {agentNamesIn, filterHints, withTerm} from '../filter-line.ts';
import {parseFilter, type Highlight} from '../../../interface/filter.ts';
import {layoutOf, messageLineOf, rowsBeneath} from '../../state/layout.ts';
import {signs, withMark} from '../../../words/signs.ts';
import {directionOf, sortColumns, sortText, type ListColumn} from '../../state/sort.ts';
import {screenNames, type ScreenName} from '../../state/view.ts';
import {withLongDots} from '../../../terminal/ascii.ts';
import {theme, type Tone} from '../../theme.ts';
import {clock} from '../../../words/age.ts';
import type {TimeZone} from '../../../words/time-zone.ts';
import {columnAt, ColumnHeader, FilterLine, Header, SentenceLine, tabAt, Tabs} from '../../widgets/header.tsx';
import {type Line, List} from '../../widgets/list.tsx';
import {cursorRowOf, withMostMarked} from '../../state/list-state.ts';
import {boxTop} from '../../widgets/question.tsx';
import {HintLine, MessageLine, Notice} from '../../widgets/notice.tsx';
import type {PaneDetails} from '../../widgets/pane.tsx';
import {type ListActionsOptions, useListKeys} from './list-actions.ts';
import {listNotice, NextTry} from './list-notice.tsx';
import {type ListedRecord, type ListRowsOptions, type RowLook, useListRows} from './list-rows.ts';
import {QuietParts, useNextUndo, useRestedId} from './quiet-parts.tsx';
import {sentenceHints, useOutcome} from './sentence-line.ts';
import {timerBoxTop} from '../timer-field.tsx';

const shortReasons: Readonly<Partial<Record<ErrorKind, string>>> = {
	'key-refused': 'key refused',
	forbidden: 'not allowed',
	'not-found': 'not found',
	'rate-limited': 'rate-limited',
	unreachable: 'unreachable',
	timeout: 'timed out',
	'no-room': 'disk full',
	'server-error': 'server error',
	unintelligible: 'unexpected answer',
};

/** Failures that may pass by themselves, so that the list is worth another try. */
const passing: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error']);

/** The columns for which there is room, from the left. */
export type ListHead = ReadonlyArray<{
	readonly column: ListColumn;
	readonly indent?: number;
	/** Includes these blanks, and the one after the title. */
	readonly width: number;
}>;

const titles: Readonly<Record<ScreenName, string>> = {agents: 'Agents', abilities: 'Abilities', installed: 'Installed'};

/** Above this number of rows, which is more than any screen has, all are forgotten. */
const maximumKeptRows = 1000;

export type ListScreenProps<Record_ extends ListedRecord> = ListRowsOptions<Record_> &
	ListActionsOptions<Record_> & {
		readonly emptyHint: string;
		readonly head: ListHead;
		readonly counts: string;
		readonly lineOf: (record: Record_, look: RowLook) => Line;
		readonly detailsOf: (record: Record_) => PaneDetails;
	};

type Status = {readonly text: string; readonly tone: Tone};

/** Draws the parts that the three screens share: the list, the details beside it and the frame around them. */
export function ListScreen<Record_ extends ListedRecord>(props: ListScreenProps<Record_>): ReactElement {
	const {screen, plural, emptyHint, head, counts, lineOf, detailsOf} = props;
	const ui = useUiServices();
	const {keymap, isReadOnly, isAscii, isColorless} = ui;
	const session = useServiceSession();
	const state = useAppState();
	const view = state.views[screen];
	const {filter, isFilterOpen, sort, isSortOpen, marks} = view;
	const {isRoomy, hasFilter, hasSentence, hasHints, messageRows, listTop, listRows, listColumns, paneColumns, columns} = layoutOf(state);
	const isScreenReader = useIsScreenReaderEnabled();
	const resource = useSpokenResource(props.resource);
	const {changeFeed} = session.records;
	const feed = useSyncExternalStore(changeFeed.subscribe, changeFeed.get);
	const rows = useListRows(props);
	const {ids, isFuzzy, recordOf} = rows.rowsOf(view);
	const {sortByColumn} = useListKeys(props, rows);

	const highlight = useMemo(() => parseFilter(filter).highlight(isFuzzy), [filter, isFuzzy]);
	const keptLineOf = useMemo(() => withKeptLines(lineOf, highlight), [lineOf, highlight]);
	const outcome = useOutcome();
	const heardOf = (record: Record_) =>
		screen === 'agents' ? outcome?.agents.get(record.id) : outcome?.installed.get(props.installedIdOf?.(record) ?? -1);
	const cursorRow = cursorRowOf(view.list, ids);
	const cursorRecord = recordOf(ids[cursorRow]);
	const restedId = useRestedId(screen, cursorRecord?.id);
	const toldRecord = cursorRecord && (recordOf(restedId) ?? cursorRecord);
	const totalCount = rows.all.length;
	const beneath = isScreenReader || toldRecord === undefined ? 0 : rowsBeneath(state, totalCount);
	const shownRows = listRows - beneath;
	const top = state.overlays.length === 1 ? state.overlays[0] : undefined;
	const boxSize = {columns, rows: state.size.rows};
	const boxRow = isScreenReader
		? undefined
		: top?.kind === 'confirm'
			? boxTop(top, boxSize)
			: top?.kind === 'timer'
				? timerBoxTop(boxSize)
				: undefined;
	// The row that a question is about, or as many marked ones as fit, are above its box.
	const uncoveredRows = boxRow === undefined ? shownRows : Math.max(1, Math.min(shownRows, boxRow - listTop));
	const markedCount = [...marks].filter(id => recordOf(id) !== undefined).length;
	const message = messageLineOf(state);
	const {error, nextTryAt} = resource;
	const isPassing = error !== undefined && passing.has(error.kind) && feed.stream !== 'open' && !feed.isIdle;
	const nextTry =
		isPassing && nextTryAt !== undefined && !isScreenReader && message.text === '' ? (
			<NextTry key={nextTryAt} width={columns} reason={reasonOf(error)} nextTryAt={nextTryAt} />
		) : undefined;
	const seen = statusOf(resource, Math.max(state.now, resource.asOf), feed, ui.timeZone);
	// A screen reader would read each second.
	const told = isPassing && isScreenReader ? {...seen, text: `${seen.text}, tries again every ${pollMilliseconds / 1000} s`} : seen;

	const {id: accountId, person} = session.account;
	const present = useSyncExternalStore(people.subscribe, people.get);
	const shownPeople = person === undefined ? [] : namesOfPeople(present, accountId, person);
	const isTrial = ui.profiles.isTrial();
	// The frame of a question covers the middle of that line.
	const trialText = isTrial && state.overlays.length === 0 ? ` Sample data. ${keyName(keymap, 'connect')} connects your own.` : undefined;

	const changedBy = toldRecord === undefined ? '' : rows.changedBy(toldRecord, state.now);
	const details = useMemo(() => toldRecord && withChanger(detailsOf(toldRecord), changedBy), [detailsOf, toldRecord, changedBy]);
	const nextUndo = useNextUndo();
	const parts = (placement: 'beneath' | 'beside', width: number, height: number): ReactElement => (
		<QuietParts
			screen={screen}
			recordId={toldRecord!.id}
			details={details!}
			placement={placement}
			width={width}
			height={height}
			undoable={nextUndo?.change}
			now={state.now}
		/>
	);

	const talking = useSyncExternalStore(session.talking.subscribe, session.talking.get);
	const headerOf = (status: Status, shownCounts: string, shownTalking: string): ReactElement => (
		<Header
			width={columns}
			profileName={session.account.profileName}
			profileMark={ui.profiles.mark()}
			people={shownPeople}
			hostLabel={isTrial ? 'sample data' : session.account.hostLabel}
			badges={[...(isReadOnly ? [signs.readOnly] : []), ...(session.account.isInsecure ? [signs.insecure] : [])]}
			talking={shownTalking}
			status={isAscii ? withLongDots(status.text) : status.text}
			statusTone={status.tone}
			counts={shownCounts}
			flaws={flawsOf(resource)}
		/>
	);

	const header = useCallback(
		(now: number) =>
			renderToString(headerOf(statusOf({...resource, error: undefined, isFromEarlierRun: true}, now, feed, ui.timeZone), counts, ''), {
				columns,
			}),
		[ui, session, columns, resource, counts, shownPeople.join(' ')],
	);
	useLayoutEffect(() => {
		if (resource.records !== undefined) {
			ui.onScreen?.({session, state, records: resource.records, header});
		}
	});

	const tabs = {
		width: columns,
		tabs: screenNames.map(name => ({key: keymap.keysOf(name)[0] ?? '·', title: titles[name], isCurrent: name === screen})),
		filter: hasFilter ? filter : undefined,
		isFilterOpen,
		isColorless,
		order: sortText(sort),
		markedCount,
		shownCount: ids.length,
		totalCount,
		cursorRow: ids.length > shownRows ? cursorRow + 1 : undefined,
	};
	const isEmpty = totalCount === 0;
	const headed = useMemo(
		() =>
			(isEmpty ? [] : head).map(({column, indent = 0, width}) => ({
				indent,
				width,
				title: column,
				order: column === sort.column ? directionOf(sort) : undefined,
				number: isSortOpen ? sortColumns[screen].indexOf(column) + 1 : undefined,
			})),
		[isEmpty, head, sort, isSortOpen, screen],
	);
	useKeys(layers.screen, {
		onMouse({kind, row, column}) {
			const name = kind === 'press' && row === 1 ? screenNames[tabAt(tabs, column)] : undefined;
			const sorted = kind === 'press' && isRoomy && row === listTop - 1 ? headed[columnAt(headed, column)] : undefined;
			if (name !== undefined) {
				ui.act(name);
			} else if (sorted !== undefined) {
				sortByColumn(sorted.title);
			}

			return name !== undefined || sorted !== undefined;
		},
	});

	const openFilter = isFilterOpen ? filter : undefined;
	const {sentence, isSentenceOpen} = state;
	const isRangeOpen = view.range !== undefined;
	const hasMarks = markedCount > 0;
	const undo = undoHint(nextUndo?.subject, columns);
	const hints = useMemo(
		() => listHints(keymap, {session, screen, isReadOnly, isSortOpen, openFilter, isSentenceOpen, isRangeOpen, hasMarks, undo}),
		[session, keymap, screen, isReadOnly, isSortOpen, openFilter, isSentenceOpen, isRangeOpen, hasMarks, undo],
	);
	// On a low screen a message replaces the hints, and the lines below them stay. The tabs tell a screen reader which filter is kept.
	const lines = (
		<>
			{hasFilter && (isFilterOpen || !isScreenReader) ? <FilterLine {...tabs} filter={filter} /> : null}
			{hasSentence ? (
				<SentenceLine
					width={columns}
					sentence={sentence}
					isOpen={isSentenceOpen}
					outcome={sentence === '' ? '' : (outcome?.text ?? 'reading…')}
				/>
			) : null}
		</>
	);
	const hintLine = useMemo(() => <HintLine width={columns} hints={hints} />, [columns, hints]);
	return (
		<Box flexDirection="column" height={state.size.rows} overflow="hidden">
			{/* While many are switched, the number of wanted states would be taken for the present one. */}
			{headerOf(told, state.bulkCount ?? counts, talking)}
			<Tabs {...tabs} />
			{isRoomy ? <ColumnHeader columns={headed} /> : null}
			<Box flexShrink={0}>
				<Box flexDirection="column" width={listColumns} flexShrink={0}>
					{ids.length === 0 ? (
						<Notice
							width={listColumns}
							height={listRows}
							{...listNotice(keymap, {
								plural,
								emptyHint,
								filter,
								term: isFilterOpen && screen !== 'agents' ? withTerm(filter, agentNamesIn(session)) : undefined,
								hasRecords: totalCount > 0,
								resource,
							})}
						/>
					) : (
						<List
							state={boxRow === undefined ? view.list : withMostMarked(view.list, ids, marks, uncoveredRows)}
							ids={ids}
							visibleRows={shownRows}
							uncoveredRows={uncoveredRows}
							lineOf={(row, isCursor) => {
								const record = recordOf(ids[row])!;
								const isChanged = rows.hasChangeSign(record);
								return keptLineOf(record, {
									isCursor,
									isMarked: marks.has(record.id),
									isChanged,
									heard: heardOf(record),
									changedBy: isChanged ? rows.changedBy(record, state.now) : '',
								});
							}}
						/>
					)}
				</Box>
				{paneColumns > 0 && toldRecord !== undefined ? parts('beside', paneColumns, listRows) : null}
			</Box>
			{beneath > 0 ? parts('beneath', columns - 2, beneath) : null}
			{isRoomy && !hasFilter && !hasSentence ? (
				<Text aria-hidden={trialText === undefined} wrap="truncate-end" {...theme.secondary}>
					{trialText ?? ' '}
				</Text>
			) : null}
			{messageRows === 0
				? null
				: (nextTry ?? <MessageLine width={columns} height={messageRows} text={message.text} level={message.level} />)}
			{isRoomy ? lines : null}
			{hasHints ? ((messageRows === 0 ? nextTry : undefined) ?? hintLine) : null}
			{isRoomy ? null : lines}
		</Box>
	);
}

/**
Returns a list for a screen reader. Otherwise each poll of an unreachable service would announce that the list is being read, and then the
failure again. So a failure stays until the next answer.
*/
function useSpokenResource<Record_>(resource: ResourceState<Record_>): ResourceState<Record_> {
	const session = useServiceSession();
	const isScreenReader = useIsScreenReaderEnabled();
	const [failure, setFailure] = useState<{readonly session: ServiceSession; readonly error: SwitchboardError}>();
	const {records, error, isReading} = resource;
	useEffect(() => {
		if (isScreenReader && !isReading) {
			// An unchanged failure needs no drawing.
			setFailure(before => (before?.session === session && before.error.message === error?.message ? before : error && {session, error}));
		}
	}, [isScreenReader, isReading, error, session]);
	const spoken = error ?? (isReading && records === undefined && failure?.session === session ? failure.error : undefined);
	return isScreenReader && spoken !== undefined ? {...resource, error: spoken, isReading: false} : resource;
}

/** Draws a row once for each of its styles, because most rows do not change from key to key. */
function withKeptLines<Record_ extends ListedRecord>(lineOf: (record: Record_, look: RowLook) => Line, filter: Highlight) {
	const kept = new Map<number, Line[]>();
	return (record: Record_, look: Omit<RowLook, 'filter'>): Line => {
		// They become known later, and only for few rows.
		if (look.heard !== undefined || look.changedBy) {
			return lineOf(record, {...look, filter});
		}

		const lines = kept.get(record.id) ?? [];
		const index = Number(look.isCursor) + 2 * Number(look.isMarked) + 4 * Number(look.isChanged);
		lines[index] ??= lineOf(record, {...look, filter});
		if (kept.size >= maximumKeptRows) {
			kept.clear();
		}

		kept.set(record.id, lines);
		return lines[index];
	};
}

const reasonOf = ({kind, field}: SwitchboardError): string => (field === 'proxy' ? 'proxy unreachable' : (shortReasons[kind] ?? 'failed'));

/** Returns the freshness of a list, in a few words. */
function statusOf(
	{records, error, isFromEarlierRun, isReading, asOf, leftOutCount, isComplete}: ResourceState<unknown>,
	now: number,
	{stream, isIdle, silentSince}: FeedState,
	{zone}: TimeZone,
): Status {
	const timed = `as of ${clock(asOf, now, zone)}`;
	if (error !== undefined && !isReading) {
		const reason = reasonOf(error);
		return {text: withMark('error', records === undefined ? reason : `${reason}, ${timed}`), tone: 'error'};
	}

	if (records !== undefined && isFromEarlierRun) {
		return {text: `${timed}, reading…`, tone: 'warning'};
	}

	if (records !== undefined && error !== undefined) {
		return {text: withMark('warning', `retrying, ${timed}`), tone: 'warning'};
	}

	if (records !== undefined && isIdle && stream !== 'open') {
		return {text: `paused, ${timed}, press a key`, tone: 'secondary'};
	}

	if (records === undefined || stream === 'asking') {
		return {text: 'reading…', tone: 'secondary'};
	}

	if (stream === 'open' && silentSince !== undefined) {
		return {text: `nothing heard since ${clock(silentSince, now, zone)}`, tone: 'warning'};
	}

	const hasFlaws = leftOutCount > 0 || !isComplete;
	return {text: stream === 'open' ? 'live' : `reads every ${pollMilliseconds / 1000} s`, tone: hasFlaws ? 'warning' : 'on'};
}

/** Returns the details of a row, with the author of a change elsewhere if that is known. */
const withChanger = (details: PaneDetails, changedBy: string): PaneDetails =>
	changedBy === ''
		? details
		: {
				...details,
				fields: [...details.fields, {label: 'Elsewhere', text: changedBy, tone: 'warning'}],
				facts: [changedBy, ...details.facts],
			};

/** Returns the defects of a list, for the end of the header. */
const flawsOf = ({leftOutCount, isComplete}: ResourceState<unknown>): readonly string[] => [
	...(leftOutCount === 0 ? [] : [`${leftOutCount} record${leftOutCount === 1 ? '' : 's'} skipped`]),
	...(isComplete ? [] : ['incomplete list']),
];

/** Columns of the name of the change that undo takes back, and of a screen that has room for it. */
const [undoColumns, undoScreenColumns] = [12, 60];

/** Returns the hint of undo; `undefined` if there is nothing to undo. */
function undoHint(subject: string | undefined, columns: number): string | undefined {
	if (subject === undefined || subject === '' || columns < undoScreenColumns) {
		return subject === undefined ? undefined : 'undo';
	}

	return `undo ${cliTruncate(subject, undoColumns)}`;
}

type HintsOptions = {
	readonly session: ServiceSession;
	readonly screen: ScreenName;
	readonly isReadOnly: boolean;
	readonly isSortOpen: boolean;
	/** `undefined` while the filter line is closed. */
	readonly openFilter: string | undefined;
	readonly isSentenceOpen: boolean;
	readonly isRangeOpen: boolean;
	readonly hasMarks: boolean;
	readonly undo: string | undefined;
};

/** Returns the hints for the keys that work on a list now. */
function listHints(
	keymap: Keymap,
	{session, screen, isReadOnly, isSortOpen, openFilter, isSentenceOpen, isRangeOpen, hasMarks, undo}: HintsOptions,
): readonly Hint[] {
	if (isSortOpen) {
		return [
			{key: `1-${sortColumns[screen].length}`, label: 'column'},
			{key: '0', label: 'as listed'},
			{key: 'esc', label: 'cancel', isKept: true},
		];
	}

	if (openFilter !== undefined) {
		return filterHints(openFilter, {canSwitch: screen !== 'agents' && !isReadOnly, agentNames: agentNamesIn(session)});
	}

	if (isSentenceOpen) {
		return sentenceHints;
	}

	// Each move marks rows now, and nothing else on the screen says so.
	const rangeHint = isRangeOpen ? hintOf(keymap, 'mark-range', 'end the range') : undefined;
	const hints = hintsFor(keymap, scopesOf[screen], {isReadOnly, hasMarks, undo});
	return [
		...(rangeHint === undefined ? [] : [rangeHint]),
		...(screen === 'agents' && !hasMarks ? agentHints(keymap, hints, isReadOnly) : hints),
	];
}

/** An agent is opened rather than switched, and both keys for its abilities are one hint. */
function agentHints(keymap: Keymap, hints: readonly Hint[], isReadOnly: boolean): readonly Hint[] {
	const open = hintOf(keymap, 'open');
	const [on] = keymap.keysOf('enable-marked');
	const [off] = keymap.keysOf('disable-marked');
	const switches = isReadOnly || on === undefined || off === undefined ? [] : [{key: `${on}/${off}`, label: 'on, off'}];
	const others = hints.filter(({key}) => key !== open?.key);
	const ties = hintOf(keymap, 'edit-ties');
	const at = others.findIndex(({key}) => key === ties?.key) + 1;
	return [...(open === undefined ? [] : [open]), ...others.toSpliced(at, 0, ...switches)];
}
