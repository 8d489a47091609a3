import {useEffect, useMemo, useState, type ReactElement} from 'react';
import {revealText} from '../../../interface/clean-text.ts';
import {toSwitchboardError, type SwitchboardError} from '../../../interface/errors.ts';
import {entryName, isLongText, type HistoryEntry} from '../../../interface/history.ts';
import type {JsonValue} from '../../../interface/json.ts';
import {recordNouns} from '../../../interface/lists.ts';
import {doneText} from '../../../changes/change.ts';
import {promptDiff, type DiffLine} from '../../../state/text-diff.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {isShortened, readWhole} from '../../hooks/history-reader.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {hintOf} from '../../../words/keymap.ts';
import {withMark} from '../../../words/signs.ts';
import type {Tone} from '../../theme.ts';
import {exactClock} from '../../../words/age.ts';
import {detailLines, labelColumnsOf, textLines, type DetailField, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {useRememberedState} from '../../widgets/text-scroll.ts';
import {useProfileNote} from '../detail-frame.tsx';
import {refreshHint} from '../list/list-notice.tsx';
import {ScrollOverlay} from '../scroll-overlay.tsx';
import {useRevert} from './use-revert.ts';

const kindNouns: Readonly<Record<HistoryEntry['kind'], string>> = {
	...recordNouns,
	agent: recordNouns.agents,
	ability: recordNouns.abilities,
	key: 'key',
};

const fieldsOf = (entry: HistoryEntry, now: number): readonly DetailField[] => {
	const {at, by, key, via, kind, record} = entry;
	return [
		{label: 'When', text: exactClock(Date.parse(at), now)},
		{label: 'Who', text: key === null || key === by ? by : `${by}, with the key ${key}`},
		{label: 'Via', text: via},
		{label: 'What', text: `${kindNouns[kind]} ${entryName(entry)}, id ${record}`},
		{label: 'Change', text: doneText(entry)},
	].filter(({text}) => text !== '');
};

const isText = (value: JsonValue): value is string | null => value === null || typeof value === 'string';

const kindsBySign: Readonly<Record<string, DiffLine['kind']>> = {'@': 'hunk', '-': 'removed', '+': 'added'};

/** The lines that differ: those of a text, or the items of a list. */
const differenceOf = (entry: HistoryEntry): readonly DiffLine[] => {
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
};

const tones: Readonly<Partial<Record<DiffLine['kind'], Tone>>> = {fold: 'secondary', hunk: 'secondary', removed: 'error', added: 'on'};

/** Longer lines are cut. */
const maximumLength = 4000;

/** A line in as many as it needs: those below the first one stand behind its sign, and look like no line of their own. */
const wrapDiffLine = ({kind, text}: DiffLine, width: number): readonly string[] =>
	kind === 'hunk' || kind === 'fold'
		? textLines(text, width)
		: textLines(text.slice(1), width - 2).map((line, index) => (index === 0 ? text.slice(0, 1) : '  ') + line);

/** Nothing in a text is hidden: a person decides by it. */
const differenceLines = (entry: HistoryEntry, width: number): readonly ScrollLine[] =>
	differenceOf(entry).flatMap(({kind, text}) =>
		wrapDiffLine({kind, text: revealText(text, maximumLength).replaceAll('\t', '  ')}, width).map(line => ({
			text: line,
			tone: tones[kind],
		})),
	);

type Read = {readonly whole?: HistoryEntry; readonly error?: SwitchboardError};

/** One change with its whole difference, which scrolls and can be searched. */
export const HistoryEntryScreen = ({entry}: {readonly entry: HistoryEntry}): ReactElement => {
	const {keymap, isReadOnly} = useUiServices();
	const session = useServiceSession();
	const revert = useRevert();
	const {
		size: {columns},
		now,
	} = useAppState();
	const profileNote = useProfileNote();
	const [{whole, error}, setRead] = useRememberedState<Read>('read', isShortened(entry) ? {} : {whole: entry});
	const [attempt, setAttempt] = useState(0);
	const isRead = whole !== undefined;
	useEffect(() => {
		const controller = new AbortController();
		const load = async (): Promise<void> => {
			let read: Read;
			try {
				read = {whole: await readWhole(session.changes.history, entry, controller.signal)};
			} catch (error_) {
				read = {error: toSwitchboardError(error_)};
			}

			if (!controller.signal.aborted) {
				setRead(() => read);
			}
		};

		if (!isRead) {
			void load();
		}

		return () => controller.abort();
	}, [attempt, session, entry]);

	const width = columns - 2;
	const fields = useMemo(() => fieldsOf(whole ?? entry, now), [whole, entry, now]);
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
			hints={isReadOnly ? [] : [hintOf(keymap, 'retry', 'revert')].filter(hint => hint !== undefined)}
			onKey={({name}) => {
				const isRefresh = !isRead && keymap.keysOf('refresh').includes(name);
				if (isRefresh) {
					setRead(() => ({}));
					setAttempt(before => before + 1);
				} else if (keymap.keysOf('retry').includes(name)) {
					revert(whole ?? entry);
				} else {
					return false;
				}

				return true;
			}}
		/>
	);
};
