import {Fragment, memo, useEffect, useState, useSyncExternalStore, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {keyName} from '../../../words/keymap.ts';
import type {LateChange} from '../../hooks/lately.ts';
import type {ScreenName} from '../../state/view.ts';
import {stateTone, theme} from '../../theme.ts';
import {clock, dayOrClock} from '../../../words/age.ts';
import {StyledLine, type Part} from '../../widgets/list.tsx';
import {LowPane, Pane, Rule, type PaneDetails} from '../../widgets/pane.tsx';
import {ScreenMemoryContext} from '../../widgets/text-scroll.ts';
import {fit, spread} from '../../../terminal/wrap.ts';
import {hasPaneScroll, paneScrollOf} from './list-actions.ts';

/** How long the cursor rests before its row is described: on a slow connection only the row is drawn while keys arrive. */
const restMilliseconds = 80;

/** Returns the record to describe: the record under the cursor once it rests, or at once if its details are scrolled. */
export function useRestedId(screen: ScreenName, cursorId: number | undefined): number | undefined {
	const session = useServiceSession();
	const [restedId, setRestedId] = useState(cursorId);
	useEffect(() => {
		if (restedId === cursorId) {
			return undefined;
		}

		const timer = setTimeout(setRestedId, restMilliseconds, cursorId);
		return () => clearTimeout(timer);
	}, [cursorId, restedId]);
	return cursorId !== undefined && hasPaneScroll(session, screen, cursorId) ? cursorId : restedId;
}

/**
Returns the change that the next undo takes back, and its subject: empty if the last changes do not have it; `undefined` if there is nothing
to undo, or undo can only say why not.
*/
export function useNextUndo(): {readonly subject: string; readonly change: LateChange | undefined} | undefined {
	const {lately, undoHistory, log} = useServiceSession().changes;
	const entries = useSyncExternalStore(lately.subscribe, lately.get);
	const newest = undoHistory.newest();
	const change = entries.find(({done, earlier = []}) =>
		newest === undefined ? earlier.length > 0 && !earlier.every(key => log.isTaken(key)) : done === newest,
	);
	return newest?.isRefused || (newest === undefined && change === undefined)
		? undefined
		: {subject: change?.subject ?? newest?.subject ?? '', change};
}

/** Columns for the authors of changes: as many as the longest one on the screen needs. */
const [leastByColumns, narrowByColumns, mostByColumns] = [3, 9, 18];

/** Columns that a name and a long description of a change keep. */
const shortestName = 8;

/** Columns for the name of a changed record, if there is room. */
const nameColumns = 28;

/** Returns a text that ends with two states, with the styles of states. */
export function withStateLooks(text: string): readonly Part[] {
	const [, before, from, to] = /^(?<before>.*\s)(?<from>on|off) → (?<to>on|off)$/.exec(text) ?? [];
	return before === undefined
		? [[text]]
		: [[before], [from!, theme[stateTone(from === 'on')]], [' → '], [to!, theme[stateTone(to === 'on')]]];
}

/** Further rows of one record are shown on its own screen. */
const mostRowRows = 7;

/** With fewer rows for both parts, the row is described in its rule. */
const fewestDescribedRows = 6;

type QuietPartsProps = {
	readonly screen: ScreenName;
	readonly recordId: number;
	readonly details: PaneDetails;
	readonly placement: 'beneath' | 'beside';
	readonly width: number;
	readonly height: number;
	/** The change that the next undo takes back. */
	readonly undoable: LateChange | undefined;
	readonly now: number;
};

/**
Draws the quiet parts of a list, below or beside it: the row under the cursor, and the last changes. Their places depend only on the room
and on the changes, so that a move changes only the words. They are not drawn again while the cursor moves.
*/
export const QuietParts = memo(({screen, recordId, details, placement, width, height, undoable, now}: QuietPartsProps): ReactElement => {
	const {keymap} = useUiServices();
	const session = useServiceSession();
	const entries = useSyncExternalStore(session.changes.lately.subscribe, session.changes.lately.get);
	const isDescribed = useAppState(({parts}) => parts === 'both');
	const isBeneath = placement === 'beneath';
	const {isShort, rowRows, latelyRows} = divide({isDescribed, isBeneath, height, count: entries.length});
	const scroll = paneScrollOf(session, screen, recordId);
	const {fields, facts, notes, ...rest} = details;
	const common = {
		...rest,
		scroll,
		width,
		height: rowRows,
		scrollKeys: {down: keyName(keymap, 'pane-down'), up: keyName(keymap, 'pane-up')},
	};
	return (
		<Box
			flexDirection="column"
			width={isBeneath ? width + 1 : width}
			height={height}
			paddingLeft={isBeneath ? 1 : 0}
			flexShrink={0}
			overflow="hidden"
		>
			{isDescribed && (
				<ScreenMemoryContext key={recordId} value={scroll.memory}>
					{isBeneath ? <LowPane {...common} facts={facts} notes={notes} /> : <Pane {...common} fields={fields} />}
				</ScreenMemoryContext>
			)}
			{latelyRows > 0 && (
				<Box
					flexDirection="column"
					height={latelyRows}
					flexShrink={0}
					{...(!isBeneath && {
						borderStyle: 'single' as const,
						borderTop: false,
						borderRight: false,
						borderBottom: false,
						borderDimColor: true,
						paddingX: 1,
					})}
				>
					<LatelyPart
						entries={entries}
						hasRule={!isShort}
						width={isBeneath ? width : width - 3}
						height={latelyRows}
						undoable={undoable}
						now={now}
					/>
				</Box>
			)}
		</Box>
	);
});

type Room = {readonly isDescribed: boolean; readonly isBeneath: boolean; readonly height: number; readonly count: number};

/**
Divides the rows between the row under the cursor and the last changes. In short parts the row has only its rule, and the changes have none.
*/
function divide({isDescribed, isBeneath, height, count}: Room) {
	const isShort = isBeneath && isDescribed && height < fewestDescribedRows;
	if (!isDescribed) {
		return {isShort, rowRows: 0, latelyRows: Math.min(Math.max(1, count) + 1, height)};
	}

	if (count === 0 || (!isBeneath && height < fewestDescribedRows)) {
		return {isShort, rowRows: height, latelyRows: 0};
	}

	const wanted = isShort ? count : count + 1;
	const beneath = isShort ? 1 : Math.min(mostRowRows, Math.ceil(height / 2));
	const rowRows = isBeneath ? beneath : height - Math.min(wanted, Math.floor(height / 3));
	return {isShort, rowRows, latelyRows: Math.min(wanted, height - rowRows)};
}

type LatelyPartProps = Pick<QuietPartsProps, 'width' | 'height' | 'undoable' | 'now'> & {
	readonly entries: readonly LateChange[];
	readonly hasRule: boolean;
};

/** Draws the last changes, the newest first. The newest one of this session names the key that undoes it, as long as that key does. */
function LatelyPart({entries, hasRule, width, height, undoable, now}: LatelyPartProps): ReactElement {
	const {keymap, isReadOnly, timeZone} = useUiServices();
	const session = useServiceSession();
	const {endedAt = 0} = session.changes.lastVisit;
	const sinceCount = entries.filter(({at}) => at > endedAt).length;
	// Without changes since then, or without an earlier visit, there is no line.
	const lineAt = endedAt === 0 || sinceCount === 0 ? Infinity : sinceCount;
	const room = height - Number(hasRule);
	const shown = entries.slice(0, lineAt < room ? room - 1 : room);
	const byColumns = Math.min(
		width < 60 ? narrowByColumns : mostByColumns,
		Math.max(leastByColumns, ...shown.map(({by}) => stringWidth(by))),
	);
	const visitLine = <Rule title={`your last visit ended ${clock(endedAt, now, timeZone.zone)}`} width={width} />;
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{hasRule && <Rule title="lately" width={width} />}
			{shown.length === 0 && <Text {...theme.secondary}>Nothing has changed yet.</Text>}
			{shown.map((entry, index) => (
				// Two changes may be equal.
				<Fragment key={index}>
					{index === lineAt && visitLine}
					<LateLine
						change={entry}
						byColumns={byColumns}
						undoWords={entry === undoable && !isReadOnly ? `${keyName(keymap, 'undo')} undo` : ''}
						now={now}
						zone={timeZone.zone}
						width={width}
					/>
				</Fragment>
			))}
			{shown.length === lineAt && lineAt < room && visitLine}
		</Box>
	);
}

type LateLineProps = {
	readonly change: LateChange;
	readonly byColumns: number;
	readonly undoWords: string;
	readonly now: number;
	readonly zone: string | undefined;
	readonly width: number;
};

function LateLine({change: {at, by, subject, what}, byColumns, undoWords, now, zone, width}: LateLineProps): ReactElement {
	const start = `${dayOrClock(at, now, zone)}  ${fit(by, byColumns)}  `;
	const room = width - stringWidth(start) - (undoWords === '' ? 0 : stringWidth(undoWords) + 2);
	// A direction is never cut: the name gives way to it.
	const end = cliTruncate(what, Math.max(shortestName, room - shortestName - 2));
	const nameRoom = Math.max(1, room - stringWidth(end) - 2);
	const name = width < 60 ? cliTruncate(subject, nameRoom) : fit(subject, Math.min(nameColumns, nameRoom));
	const {left, gap, right} = spread(cliTruncate(`${start}${name}  ${end}`, width), undoWords, width);
	return <StyledLine parts={[...withStateLooks(left), [gap + right]]} label={left + gap + right} />;
}
