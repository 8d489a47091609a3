import cliTruncate from 'cli-truncate';
import {useMemo, useSyncExternalStore, type ReactElement} from 'react';
import stringWidth from 'string-width';
import {useAppState, useUiServices} from '../app-context.ts';
import type {LoggedRequest} from '../state/request-log.ts';
import type {Message} from '../state/messages.ts';
import {problemMark, severityTone} from '../../words/signs.ts';
import {theme, type Tone} from '../theme.ts';
import {exactClock} from '../../words/age.ts';
import {detailLines, labelColumnsOf, type DetailField, type ScrollLine} from '../widgets/scroll-text.tsx';
import {wrapText} from '../../terminal/wrap.ts';
import {ListOverlay, overlayLine, rowStart} from './list-overlay.tsx';
import {ScrollOverlay} from './scroll-overlay.tsx';

/** A quote with fewer columns would be useless. */
const shortestQuote = 4;

/** Draws the messages of this run, the newest first. */
export function MessagesScreen(): ReactElement {
	const {
		messages: {history},
		size,
	} = useAppState();
	const lines = useMemo(() => {
		const now = history.at(-1)?.at ?? 0;
		return history.toReversed().flatMap(message => messageLines(message, now, size.columns - 2));
	}, [history, size.columns]);
	return <ScrollOverlay title="Messages" empty="No messages yet." lines={lines} action="messages" />;
}

/** Returns the lines of a message: its time, “!” for an error, and the whole text, indented if it wraps. */
function messageLines({at, level, text, isQuoting = false}: Message, now: number, width: number): readonly ScrollLine[] {
	const start = `${exactClock(at, now)} ${level === 'info' ? ' ' : problemMark} `;
	const tone = level === 'info' ? 'plain' : severityTone[level];
	const room = Math.max(10, width - start.length);
	return (isQuoting ? [fitQuotes(text, room)] : wrapText(text, room)).map((line, index) => ({
		text: (index === 0 ? start : ' '.repeat(start.length)) + line,
		tone,
	}));
}

/** Returns a text on one line: its quotes are cut, all to one length, and then its end. */
function fitQuotes(text: string, width: number): string {
	const quotes = text.match(/(?<=“)[^”]*(?=”)/g) ?? [];
	const room = (width - stringWidth(text.replaceAll(/“[^”]*”/g, '“”'))) / Math.max(1, quotes.length);
	return cliTruncate(
		text.replaceAll(/(?<=“)[^”]*(?=”)/g, quote => cliTruncate(quote, Math.max(shortestQuote, Math.floor(room)))),
		width,
	);
}

/** Columns of a path's end that tell requests apart; with less room, the time of day is left out. */
const leastPathWidth = 16;

/** Draws the last requests, newest first; Enter opens one. The log keeps no keys and no bodies. */
export function RequestsScreen(): ReactElement {
	const {requests, store} = useUiServices();
	const {columns} = useAppState().size;
	const log = useSyncExternalStore(requests.subscribe, requests.getEntries);
	const entries = useMemo(() => log.toReversed(), [log]);
	const ids = useMemo(() => entries.map(({number}) => number), [entries]);
	return (
		<ListOverlay
			isPlain
			title="Requests"
			action="requests"
			ids={ids}
			notice={{tone: 'secondary', title: 'No requests yet.'}}
			openLabel="details"
			lineOf={(row, isCursor) => {
				const entry = entries[row]!;
				const line = cliTruncate(requestLine(entry, entries[0]!.startedAt, columns - rowStart - 1), columns - rowStart);
				return overlayLine(isCursor, [[line, theme[toneOf(entry)]]], line, columns);
			}}
			onOpen={row => store.dispatch({type: 'open', overlay: {kind: 'request', entry: entries[row]!}})}
		/>
	);
}

/** Returns a request on one line: time, method, status, duration and as much of the path's end as there is room for. */
function requestLine(entry: LoggedRequest, now: number, width: number): string {
	const {startedAt, method, status, durationMilliseconds, path} = entry;
	const time = `${exactClock(startedAt, now)} `;
	const rest = [method.padEnd(6), String(status ?? 'none').padEnd(4), `${Math.round(durationMilliseconds)} ms`.padStart(8), ''].join(' ');
	const start = width - time.length - rest.length < leastPathWidth ? rest : time + rest;
	return start + cliTruncate(path, width - start.length, {position: 'start'});
}

const toneOf = ({status}: LoggedRequest): Tone => (status === undefined || status >= 400 ? 'error' : 'plain');

/** Draws the details of one request; the log keeps no keys and no bodies. */
export function RequestScreen({entry}: {readonly entry: LoggedRequest}): ReactElement {
	const {columns} = useAppState().size;
	const width = columns - 2;
	const fields = useMemo(() => fieldsOf(entry), [entry]);
	const lines = useMemo(() => detailLines(fields, width), [fields, width]);
	return <ScrollOverlay title="Request" lines={lines} labelColumns={labelColumnsOf(fields, width)} action="open" />;
}

const fieldsOf = ({
	method,
	origin,
	path,
	status,
	reason,
	startedAt,
	durationMilliseconds,
	attemptNumber,
}: LoggedRequest): readonly DetailField[] => [
	{label: 'Method', text: method},
	{label: 'Host', text: origin},
	{label: 'Path', text: path},
	status === undefined
		? {label: 'Answer', text: `none: ${reason ?? 'unknown reason'}`, tone: 'error'}
		: {label: 'Answer', text: `HTTP ${status}`, tone: status >= 400 ? 'error' : 'plain'},
	{label: 'Sent', text: exactClock(startedAt, startedAt)},
	{label: 'Took', text: `${Math.round(durationMilliseconds)} ms`},
	...(attemptNumber === 1 ? [] : [{label: 'Attempt', text: `${attemptNumber}, a retry`}]),
];
