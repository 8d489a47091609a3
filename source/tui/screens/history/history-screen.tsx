import {useEffect, useEffectEvent, useMemo, useSyncExternalStore, type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {filterTerms} from '../../../interface/filter.ts';
import {formatCount} from '../../../interface/format-count.ts';
import {entryName, type HistoryEntry, isLongText} from '../../../interface/history.ts';
import {fold} from '../../../interface/match.ts';
import {doneText} from '../../../changes/change.ts';
import {revealText} from '../../../interface/clean-text.ts';
import type {JsonValue} from '../../../interface/json.ts';
import {recordNouns} from '../../../interface/lists.ts';
import {changedWords, promptDiff, type DiffLine} from '../../../state/text-diff.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {isShortened, readWhole} from '../../../state/whole-entry.ts';
import {createHistoryReader} from '../../hooks/history-reader.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useToggle} from '../../hooks/use-resource.ts';
import {keyTable} from '../../../words/key-table.ts';
import {hintOf, keyName} from '../../../words/keymap.ts';
import type {Overlay} from '../../state/app-state.ts';
import {withMark} from '../../../words/signs.ts';
import {spokenText} from '../../../terminal/spoken-text.ts';
import {theme, type Tone} from '../../theme.ts';
import {clock, exactClock} from '../../../words/age.ts';
import type {TimeZone} from '../../../words/time-zone.ts';
import type {Line} from '../../widgets/list.tsx';
import type {NoticeProps} from '../../widgets/notice.tsx';
import {useRemembered} from '../../widgets/text-scroll.ts';
import {fit} from '../../../terminal/wrap.ts';
import {detailLines, labelColumnsOf, textLines, type DetailField, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {actOnHistory} from '../act-on-switches.ts';
import {useProfileNote} from '../detail-frame.tsx';
import {refreshHint} from '../list/list-notice.tsx';
import {withStateLooks} from '../list/quiet-parts.tsx';
import {createOverlayFilter, filterNote, ListOverlay, overlayLine, rowStart} from '../list-overlay.tsx';
import {refuseChange} from '../refuse-change.ts';
import {ScrollOverlay} from '../scroll-overlay.tsx';
import {BoardScreen} from './board-screen.tsx';
import {useRead} from './use-read.ts';
import {useRevert} from './use-revert.ts';

/** From this width, the date is shown beside the time, and more of a person's name. */
const wideColumns = 60;

/** Columns for the name of a record on those screens, if the name is short. */
const nameColumns = 14;

/** Returns an entry on one line: time, author, the name of the record, and the change. */
export function historyLine(
	entry: HistoryEntry,
	{
		isCursor,
		now,
		width,
		timeZone,
	}: {readonly isCursor: boolean; readonly now: number; readonly width: number; readonly timeZone?: TimeZone},
): Line {
	const isWide = width >= wideColumns;
	const at = clock(Date.parse(entry.at), now, timeZone?.zone);
	const time = timeText(at, now, isWide);
	const start = `${time.padEnd(isWide ? 11 : 5)} ${fit(entry.by, isWide ? 10 : 7)} `;
	const name = entryName(entry);
	const what = doneText(entry, timeZone);
	const room = width - rowStart - stringWidth(start) - 1;
	// The change is more useful than the end of a name.
	const nameRoom = Math.max(isWide ? nameColumns : 8, room - 2 - stringWidth(what));
	const shown = isWide ? fit(name, Math.min(nameRoom, Math.max(nameColumns, stringWidth(name)))) : cliTruncate(name, nameRoom);
	return overlayLine(
		isCursor,
		[[start, theme.secondary], ...withStateLooks(cliTruncate(`${shown}  ${what}`, room))],
		spokenText(at, entry.by, name, what),
		width,
	);
}

/**
Returns the time of day, with the date if there is room; otherwise the date alone unless it is today. A year other than this one is more
useful than the time.
*/
function timeText(at: string, now: number, isWide: boolean): string {
	const [date, time] = at.split(' ', 2);
	if (time === undefined) {
		return isWide ? `today ${date!}` : date!;
	}

	const isThisYear = date!.startsWith(`${new Date(now).getFullYear()}-`);
	return isThisYear ? `${date!.slice(5)}${isWide ? ` ${time}` : ''}` : isWide ? date! : date!.slice(0, 7);
}

type HistoryOf = Extract<Overlay, {readonly kind: 'history'}>;

/** Draws a history, one of its entries, or the board as one left it. */
export function HistoryOverlay({
	overlay,
}: {
	readonly overlay: HistoryOf | Extract<Overlay, {readonly kind: 'history-entry' | 'board'}>;
}): ReactElement {
	return overlay.kind === 'history' ? (
		<HistoryScreen {...overlay} />
	) : overlay.kind === 'board' ? (
		<BoardScreen entry={overlay.entry} />
	) : (
		<HistoryEntryScreen entry={overlay.entry} />
	);
}

/** Draws the history of changes, the newest first, as far as the person goes back. It is updated while it is open. */
function HistoryScreen({title, query}: HistoryOf): ReactElement {
	const ui = useUiServices();
	const {keymap, timeZone} = ui;
	const session = useServiceSession();
	const toggle = useToggle();
	const revert = useRevert();
	const {size, now} = useAppState();
	const profileNote = useProfileNote();
	const reader = useRemembered('reader', () => createHistoryReader(session.changes.history, query));
	const filter = useRemembered('filter', createOverlayFilter);
	const {entries, next, isRead, isWhole, reading, error} = useSyncExternalStore(reader.subscribe, reader.get);
	const filtered = useSyncExternalStore(filter.subscribe, filter.getState);
	const {filter: line} = filtered;
	const rows = useMemo(() => entries.filter(filterOf(line, timeZone)), [entries, line, timeZone]);
	const ids = useMemo(() => rows.map(({id}) => id), [rows]);
	useEffect(() => reader.start(session.changes.lately.subscribe, session.records.changeFeed.announced.subscribe), [reader, session]);

	const sayFailure = useEffectEvent(() => {
		if (error !== undefined && isRead) {
			ui.say('error', `The history could not be read on. ${error.message} ${refreshHint(error, keymap)}`, error);
		}
	});
	useEffect(sayFailure, [error]);

	const notice = (): Omit<NoticeProps, 'width' | 'height'> => {
		if (!isRead) {
			return error === undefined || reading !== undefined
				? {tone: 'secondary', title: 'Reading the history…'}
				: {tone: 'error', title: withMark('error', `The history could not be read. ${error.message}`), hint: refreshHint(error, keymap)};
		}

		return entries.length === 0
			? {tone: 'plain', title: 'No changes yet.'}
			: {
					tone: 'plain',
					title: `None of the ${next === undefined ? '' : 'newest '}${formatCount(entries.length)} changes matches “${line}”.`,
					hint: `${next === undefined ? '' : `${keyName(keymap, 'down')} reads older ones. `}Esc clears the filter.`,
				};
	};

	return (
		<ListOverlay
			title={title}
			notes={[
				reading === 'older' ? 'reading…' : '',
				filterNote(filtered, `${rows.length} of ${entries.length}${next === undefined ? '' : '+'}`),
				profileNote,
			]}
			{...(!isWhole && {
				lead: [
					size.columns < wideColumns ? "Others' changes are not in it." : "This service keeps no history: others' changes are not in it.",
				],
			})}
			filter={filter}
			action="history"
			ids={ids}
			isLoading={!isRead && error === undefined}
			notice={notice()}
			openLabel="difference"
			hints={ids.length === 0 ? [] : [ui.isReadOnly ? undefined : hintOf(keymap, 'retry', 'revert'), hintOf(keymap, 'board', 'board')]}
			lineOf={(row, isCursor) => historyLine(rows[row]!, {isCursor, now, width: size.columns, timeZone})}
			onOpen={row => ui.store.dispatch({type: 'open', overlay: {kind: 'history-entry', entry: rows[row]!}})}
			onMove={(row, height) => {
				if (row + height >= rows.length) {
					reader.readOlder();
				}
			}}
			onKey={({name}, row) => {
				const action = keymap.actionOf(name, ['list']);
				if (action === 'refresh') {
					reader.refresh();
				} else if (action === 'board' && rows[row] !== undefined) {
					ui.store.dispatch({type: 'open', overlay: {kind: 'board', entry: rows[row]}});
				} else if (keymap.keysOf('retry').includes(name)) {
					revert(rows[row]);
				} else {
					return (
						action !== undefined && ((keyTable[action].writes === true && refuseChange(ui, action)) || actOnHistory(action, ui, toggle))
					);
				}

				return true;
			}}
		/>
	);
}

/** Returns a test for entries with all words, and without the words after an exclamation mark. */
function filterOf(line: string, timeZone: TimeZone): (entry: HistoryEntry) => boolean {
	const terms = filterTerms(line)
		.map(term => ({isWanted: !term.startsWith('!'), word: fold(term.replace(/^!/, ''))}))
		.filter(({word}) => word !== '');
	return entry => {
		const text = fold([entry.by, entry.key ?? '', entry.via, entryName(entry), doneText(entry, timeZone)].join('\n'));
		return terms.every(({isWanted, word}) => text.includes(word) === isWanted);
	};
}

/** Draws one change with its whole difference, which scrolls and can be searched. */
function HistoryEntryScreen({entry}: {readonly entry: HistoryEntry}): ReactElement {
	const {keymap, isReadOnly, timeZone} = useUiServices();
	const session = useServiceSession();
	const revert = useRevert();
	const {
		size: {columns},
		now,
	} = useAppState();
	const profileNote = useProfileNote();
	const read = async (signal: AbortSignal): Promise<HistoryEntry> => readWhole(session.changes.history, entry, signal);
	const {value: whole, error, readAgain} = useRead(read, isShortened(entry) ? undefined : entry);
	const width = columns - 2;
	const fields = useMemo(() => fieldsOf(whole ?? entry, now, timeZone), [whole, entry, now, timeZone]);
	const lines = useMemo(() => {
		const difference: readonly ScrollLine[] =
			whole === undefined
				? textLines(
						error === undefined
							? 'Reading the difference…'
							: withMark('error', `The difference could not be read. ${error.message} ${refreshHint(error, keymap)}`),
						width,
					).map(text => ({text, tone: error === undefined ? 'secondary' : 'error'}))
				: differenceLines(whole, width);
		return [...detailLines(fields, width), ...(difference.length === 0 ? [] : [{text: ''}, ...difference])];
	}, [fields, whole, error, keymap, width]);
	return (
		<ScrollOverlay
			title={`Change ${entry.id}`}
			note={profileNote}
			isPlain={false}
			lines={lines}
			labelColumns={labelColumnsOf(fields, width)}
			action="open"
			hints={isReadOnly ? [] : [hintOf(keymap, 'retry', 'revert')]}
			onKey={({name}) => {
				if (whole === undefined && keymap.keysOf('refresh').includes(name)) {
					readAgain();
				} else if (keymap.keysOf('retry').includes(name)) {
					revert(whole ?? entry);
				} else {
					return false;
				}

				return true;
			}}
		/>
	);
}

function fieldsOf(entry: HistoryEntry, now: number, timeZone: TimeZone): readonly DetailField[] {
	const {at, by, key, via, kind, record} = entry;
	return [
		{label: 'When', text: exactClock(Date.parse(at), now, timeZone.zone)},
		{label: 'Who', text: key === null || key === by ? by : `${by}, with the key ${key}`},
		{label: 'Via', text: via},
		{label: 'What', text: `${kindNouns[kind]} ${entryName(entry)}, id ${record}`},
		{label: 'Change', text: doneText(entry, timeZone)},
	].filter(({text}) => text !== '');
}

/** Nothing in a text is hidden, because a person decides by it. */
function differenceLines(entry: HistoryEntry, width: number): readonly ScrollLine[] {
	const lines = differenceOf(entry).map(({kind, text}) => ({kind, text: revealText(text, maximumLength).replaceAll('\t', '  ')}));
	const changed = changedWords(lines);
	return lines.flatMap(line => {
		let end = 0;
		return wrapDiffLine(line, width).map((text, index) => {
			const indentation = index === 0 ? 0 : text.length - text.trimStart().length;
			const start = Math.max(0, line.text.indexOf(text.slice(indentation).trimEnd(), end));
			end = start + text.length - indentation;
			return {
				text,
				tone: tones[line.kind],
				changed: changed
					.get(line)
					?.map(range => ({start: range.start - start + indentation, end: range.end - start + indentation}))
					.filter(range => range.end > indentation && range.start < text.length),
			};
		});
	});
}

/** Returns the differing lines: of a text, or the items of a list. */
function differenceOf(entry: HistoryEntry): readonly DiffLine[] {
	const {field, from, to} = entry;
	if (Array.isArray(from) && Array.isArray(to)) {
		const [before, after] = [from, to].map(items => new Set(items.map(String))) as [Set<string>, Set<string>];
		return [
			...[...before.difference(after)].map(text => ({kind: 'removed', text: `- ${text}`}) as const),
			...[...after.difference(before)].map(text => ({kind: 'added', text: `+ ${text}`}) as const),
		];
	}

	if (isLongText(to)) {
		return (to.difference ?? '')
			.replace(/\n$/, '')
			.split('\n')
			.map(text => ({kind: kindsBySign[text[0] ?? ''] ?? 'context', text}));
	}

	return (field === 'prompt' || field === 'description') && isText(from) && isText(to)
		? promptDiff(entryName(entry), from ?? '', to ?? '').filter(
				({kind}, index, lines) => kind !== 'file' && (kind !== 'hunk' || lines[index - 1]?.kind !== 'fold'),
			)
		: [];
}

const isText = (value: JsonValue): value is string | null => value === null || typeof value === 'string';

/** Wraps a line: all parts but the first are indented behind its sign, so that they do not look like separate lines. */
const wrapDiffLine = ({kind, text}: DiffLine, width: number): readonly string[] =>
	kind === 'hunk' || kind === 'fold'
		? textLines(text, width)
		: textLines(text.slice(1), width - 2).map((line, index) => (index === 0 ? text.slice(0, 1) : '  ') + line);

const kindNouns: Readonly<Record<HistoryEntry['kind'], string>> = {
	...recordNouns,
	agent: recordNouns.agents,
	ability: recordNouns.abilities,
	key: 'key',
};

/** Longer lines are cut. */
const maximumLength = 4000;

const tones: Readonly<Partial<Record<DiffLine['kind'], Tone>>> = {fold: 'secondary', hunk: 'secondary', removed: 'error', added: 'on'};

const kindsBySign: Readonly<Record<string, DiffLine['kind']>> = {'@': 'hunk', '-': 'removed', '+': 'added'};
