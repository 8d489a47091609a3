import {useEffect, useState, useSyncExternalStore, type ReactElement} from 'react';
import {Box} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {keyName} from '../../../words/keymap.ts';
import type {LateChange} from '../../hooks/lately.ts';
import type {ScreenName} from '../../state/view.ts';
import {stateTone, theme} from '../../theme.ts';
import {clock} from '../../../words/age.ts';
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

/** Columns for the authors of changes: as many as the longest one on the screen needs. */
const [leastByColumns, mostByColumns] = [9, 18];

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

type QuietPartsProps = {
	readonly screen: ScreenName;
	readonly recordId: number;
	readonly details: PaneDetails;
	readonly placement: 'beneath' | 'beside';
	readonly width: number;
	readonly height: number;
	readonly now: number;
};

/**
Draws the quiet parts of a list, below or beside it: the row under the cursor, and the last changes. Their places depend only on the room
and on the changes, so that a move changes only the words.
*/
export function QuietParts({screen, recordId, details, placement, width, height, now}: QuietPartsProps): ReactElement {
	const {keymap} = useUiServices();
	const session = useServiceSession();
	const entries = useSyncExternalStore(session.changes.lately.subscribe, session.changes.lately.get);
	const isBeneath = placement === 'beneath';
	const hasLately = entries.length > 0 && height >= 5;
	const rowRows = hasLately
		? isBeneath
			? Math.min(mostRowRows, Math.ceil(height / 2))
			: height - Math.min(entries.length + 1, Math.floor(height / 3))
		: height;
	const latelyRows = hasLately ? Math.min(entries.length + 1, height - rowRows) : 0;
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
			<ScreenMemoryContext key={recordId} value={scroll.memory}>
				{isBeneath ? <LowPane {...common} facts={facts} notes={notes} /> : <Pane {...common} fields={fields} />}
			</ScreenMemoryContext>
			{hasLately && (
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
					<LatelyPart entries={entries} width={isBeneath ? width : width - 3} height={latelyRows} now={now} />
				</Box>
			)}
		</Box>
	);
}

type LatelyPartProps = {readonly entries: readonly LateChange[]; readonly width: number; readonly height: number; readonly now: number};

/** Draws the last changes, the newest first. The newest one of this session names the key that undoes it, as long as that key does. */
function LatelyPart({entries, width, height, now}: LatelyPartProps): ReactElement {
	const {keymap, isReadOnly} = useUiServices();
	const {
		changes: {undoHistory},
	} = useServiceSession();
	const own = entries.find(({by}) => by === 'you');
	const isUndone = !isReadOnly && own?.done !== undefined && own.done === undoHistory.newest();
	const shown = entries.slice(0, height - 1);
	const byColumns = Math.min(
		width < 60 ? leastByColumns : mostByColumns,
		Math.max(leastByColumns, ...shown.map(({by}) => stringWidth(by))),
	);
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<Rule title="lately" width={width} />
			{shown.map((entry, index) => (
				// Two changes may be equal.
				<LateLine
					key={index}
					change={entry}
					byColumns={byColumns}
					undoWords={entry === own && isUndone ? `${keyName(keymap, 'undo')} undoes` : ''}
					now={now}
					width={width}
				/>
			))}
		</Box>
	);
}

type LateLineProps = {
	readonly change: LateChange;
	readonly byColumns: number;
	readonly undoWords: string;
	readonly now: number;
	readonly width: number;
};

function LateLine({change: {at, by, subject, what}, byColumns, undoWords, now, width}: LateLineProps): ReactElement {
	const name = width < 60 ? subject : fit(subject, nameColumns);
	const {left, gap, right} = spread(
		cliTruncate(`${clock(at, now).slice(-5)}  ${fit(by, byColumns)}  ${name}  ${what}`, width),
		undoWords,
		width,
	);
	return <StyledLine parts={[...withStateLooks(left), [gap + right]]} label={left + gap + right} />;
}
