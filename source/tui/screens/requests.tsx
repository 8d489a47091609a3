import {useMemo, useSyncExternalStore, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import {useAppState, useUiServices} from '../app-context.ts';
import {type LoggedRequest} from '../hooks/request-log.ts';
import {keyName} from '../keys/hints.ts';
import {isBackKey} from '../keys/keymap.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {spokenRow} from '../terminal/spoken-text.ts';
import {theme, type Tone} from '../theme.ts';
import {exactClock} from '../widgets/age.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {
	cursorRowOf,
	initialListState,
	List,
	moved,
	moveOf,
} from '../widgets/list/index.ts';
import {lineOf} from '../widgets/styled-text.ts';
import {Notice} from '../widgets/notice.tsx';
import {useRememberedState} from '../widgets/use-remembered-state.ts';

const toneOf = ({status}: LoggedRequest): Tone => status === undefined || status >= 400 ? 'error' : 'plain';

/** Columns of a path's end that tell requests apart; if there are fewer, the time of day is left out. */
const leastPathWidth = 16;

/** One request on one line: time, method, status, duration and as much of the path's end as fits. */
const requestLine = (entry: LoggedRequest, now: number, width: number): string => {
	const {startedAt, method, status, durationMilliseconds, path} = entry;
	const time = `${exactClock(startedAt, now)} `;
	const rest = [
		method.padEnd(6),
		String(status ?? 'none').padEnd(4),
		`${Math.round(durationMilliseconds)} ms`.padStart(8),
		'',
	].join(' ');
	const start = width - time.length - rest.length < leastPathWidth ? rest : time + rest;
	return start + cliTruncate(path, width - start.length, {position: 'start'});
};

/** The last requests, newest first; Enter opens one. The log keeps no keys and no bodies. */
export const RequestsScreen = (): ReactElement => {
	const {requests, store, keymap} = useUiServices();
	const {columns, rows} = useAppState().size;
	// The cursor stays while the details of a request are open above the list.
	const [cursor, setCursor] = useRememberedState('list', initialListState);
	const log = useSyncExternalStore(requests.subscribe, requests.getEntries);
	const entries = useMemo(() => log.toReversed(), [log]);
	const ids = useMemo(() => entries.map(({number}) => number), [entries]);
	const now = entries[0]?.startedAt ?? 0;
	const height = Math.max(1, rows - 2);
	const row = cursorRowOf(cursor, ids);
	useKeys(layers.overlay, {
		onKey(key) {
			const step = moveOf(keymap.actionOf(key.name, ['list']));
			const entry = entries[row];
			if (step !== undefined) {
				setCursor(before => moved(before, ids, step, height));
			} else if (keymap.actionOf(key.name, ['list']) === 'open') {
				if (entry !== undefined) {
					store.dispatch({type: 'open', overlay: {kind: 'request', entry}});
				}
			} else if (isBackKey(keymap, key.name) || keymap.keysOf('requests').includes(key.name)) {
				store.dispatch({type: 'close'});
			}

			return true;
		},
	});
	const position = entries.length > height ? ` ${row + 1} of ${entries.length}` : '';
	const hints = [
		...(entries.length === 0 ? [] : [{key: keyName(keymap, 'open').toLowerCase(), label: 'details'}, {key: 'j/k', label: 'move'}]),
		{key: 'esc', label: 'back'},
	];
	return (
		<Box flexDirection='column' height={rows} overflow='hidden'>
			<Text wrap='truncate-end'>
				<Text {...theme.title}> Requests</Text>
				<Text {...theme.secondary} aria-hidden>{position}</Text>
			</Text>
			{entries.length === 0
				? <Notice width={columns} height={height} tone='secondary' title='No requests yet.'/>
				: (
					<List
						state={cursor}
						ids={ids}
						visibleRows={height}
						lineOf={(index, isCursor) => {
							const line = cliTruncate(requestLine(entries[index]!, now, columns - 4), columns - 3);
							return lineOf([
								[isCursor ? ' > ' : ' '.repeat(3), {...theme.accent, bold: true}],
								[line, {...theme[toneOf(entries[index]!)], bold: isCursor}],
							], spokenRow(isCursor, line));
						}}
					/>
				)}
			<HintLine width={columns} hints={hints}/>
		</Box>
	);
};
