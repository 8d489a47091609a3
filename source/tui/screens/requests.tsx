import {useMemo, useSyncExternalStore, type ReactElement} from 'react';
import {type RequestLogEntry} from '../../client/client.ts';
import {useAppState, useProgram} from '../app-context.ts';
import {type Tone} from '../theme.ts';
import {exactClock} from '../widgets/age.ts';
import {truncateStart} from '../widgets/fit.ts';
import {type ScrollLine} from '../widgets/scroll-text.tsx';
import {LogScreen} from './log-screen.tsx';

const toneOf = ({status}: RequestLogEntry): Tone => status === undefined || status >= 400 ? 'error' : 'plain';

/** Columns of a path's end that tell one request from another; where there are fewer, the time of day gives way. */
const leastPathWidth = 16;

/** One request on one line: its time, method, status and how long it took, and as much of the path's end as there is room for. */
const requestLine = (entry: RequestLogEntry, now: number, width: number): ScrollLine => {
	const {startedAt, method, status, durationMilliseconds, path} = entry;
	const time = `${exactClock(startedAt, now)} `;
	const rest = [
		method.padEnd(6),
		String(status ?? 'none').padEnd(4),
		`${Math.round(durationMilliseconds)} ms`.padStart(8),
		'',
	].join(' ');
	const start = width - time.length - rest.length < leastPathWidth ? rest : time + rest;
	return {text: start + truncateStart(path, width - start.length), tone: toneOf(entry)};
};

/** The last requests, the newest first: neither keys nor bodies are among what is kept of them. */
export const RequestsScreen = (): ReactElement => {
	const {requests} = useProgram();
	const {columns} = useAppState().size;
	const entries = useSyncExternalStore(requests.subscribe, requests.getEntries);
	const lines = useMemo(() => {
		const now = entries.at(-1)?.startedAt ?? 0;
		return entries.toReversed().map(entry => requestLine(entry, now, columns - 2));
	}, [entries, columns]);
	return <LogScreen title='Requests' empty='Nothing has been asked of the service yet.' lines={lines} action='requests'/>;
};
