import {useContext, useEffect, useMemo, useState, type ReactElement} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import stringWidth from 'string-width';
import {useAppState, useUiServices} from '../app-context.ts';
import {DispatcherContext, layers, useKeys} from '../keys/dispatcher.ts';
import {useTypedLine} from '../keys/typed-line.ts';
import {keyTable, openedScopesOf, scopesOf, screensOf, tasks, type KeyAction} from '../../words/key-table.ts';
import {dailyText, hintOf, isBackKey, keyLabel, keyLabels, keyRows, type Hint, type Keymap} from '../../words/keymap.ts';
import type {HelpTopic} from '../state/app-state.ts';
import {filterSyntax} from '../../interface/filter.ts';
import {maximumColumns} from '../state/layout.ts';
import {signRows, signs, typingEnd} from '../../words/signs.ts';
import type {ScreenName} from '../state/view.ts';
import {wheelRows} from '../../terminal/mouse.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {moveOf, type Move} from '../state/list-state.ts';
import {lineOf, Lines, type Part} from '../widgets/list.tsx';
import {Notice} from '../widgets/notice.tsx';
import {highlightedParts} from '../widgets/row.ts';
import {textLines} from '../widgets/scroll-text.tsx';
import {findText} from '../widgets/text-search.ts';
import {fit} from '../../terminal/wrap.ts';
import {DetailFrame} from './detail-frame.tsx';
import {createSheet, firstPlace, markerColumns, movedOn, placeOn, scrolledOn, type EntryGroup, type Sheet} from './help-sheet.ts';
import {ScrollOverlay} from './scroll-overlay.tsx';

/** The headings of the page of daily keys. Enter runs the first entry unless the cursor was moved, so that entry must do no harm. */
const dailyHeadings: ReadonlyArray<readonly [heading: string, tasks: ReadonlyArray<KeyAction['task']>]> = [
	['Move', ['Move']],
	['Look', ['Look closer', 'Program']],
	['Act', ['Switch', 'Mark', 'Change']],
	['Find', ['Find and sort']],
];

/** Two keys of one action are side by side if they are this short together. */
const shortKeysColumns = 7;

/** The smallest width with room for two columns, and the most that a column needs: for the daily keys, then for all keys. */
const dailyColumns = {two: 74, most: 40} as const;

const allColumns = {two: 100, most: maximumColumns / 2} as const;

/** Draws the daily keys on one page, and all keys on another, from the table that the dispatcher uses. */
export function HelpScreen(): ReactElement {
	const {isReadOnly, isAscii} = useUiServices();
	const {screen, overlays} = useAppState();
	const [page, setPage] = useState({isAll: false, isTyping: false});
	const opened = overlays.findLast(({kind}) => kind === 'agent' || kind === 'ability');
	const isOpened = opened !== undefined;
	const isEditing = overlays.some(({kind}) => kind === 'prompt-editor');
	const isBusy = overlays.some(({kind}) => !['help', 'agent', 'ability'].includes(kind));
	// An ability may have been opened from an agent.
	const shown = opened?.kind === 'ability' ? opened.resource : screen;
	const moment = useMemo(
		() => ({screen: shown, isOpened, isEditing, isReadOnly, isBusy, isAscii}),
		[shown, isOpened, isEditing, isReadOnly, isBusy, isAscii],
	);
	const isAll = page.isAll || isEditing;
	return (
		<HelpPage
			key={isAll ? 'all' : 'daily'}
			moment={moment}
			isAll={isAll}
			startsTyping={page.isTyping}
			onPage={(isAllNow, isTyping) => setPage({isAll: isAllNow, isTyping})}
		/>
	);
}

type Moment = {
	readonly screen: ScreenName;
	readonly isOpened: boolean;
	/** True if a text is being edited: only the keys of the editor work there. */
	readonly isEditing: boolean;
	readonly isReadOnly: boolean;
	/** True if going elsewhere would lose a choice or a text below. */
	readonly isBusy: boolean;
	/** True if some signs are replaced with words. */
	readonly isAscii: boolean;
};

type PageProps = {
	readonly moment: Moment;
	readonly isAll: boolean;
	/** True if a search text is typed from the start. */
	readonly startsTyping: boolean;
	readonly onPage: (isAll: boolean, isTyping: boolean) => void;
};

/** Draws a page of keys with a cursor. Enter runs the key under the cursor, as if it were pressed on the screen below. */
function HelpPage({moment, isAll, startsTyping, onPage}: PageProps): ReactElement {
	const {keymap, store, act} = useUiServices();
	const dispatcher = useContext(DispatcherContext)!;
	const {columns, rows} = useAppState(({size}) => size);
	const isScreenReader = useIsScreenReaderEnabled();
	const [wanted, setPlace] = useState(firstPlace);
	const [{filter, isTyping}, setFilter] = useState({filter: '', isTyping: startsTyping});
	const groups = useMemo(() => (isAll ? allGroups : dailyGroups)(keymap, moment), [isAll, keymap, moment]);
	const sheet = useMemo(() => {
		const {two, most} = isAll ? allColumns : dailyColumns;
		// A screen reader reads whole lines, so there is only one column.
		const columnCount = columns >= two && !isScreenReader ? 2 : 1;
		return createSheet(
			narrowed(groups, filter),
			columnCount === 1 ? Math.min(columns, maximumColumns) : Math.min(most, Math.floor(columns / 2)),
			columnCount,
		);
	}, [groups, filter, isAll, columns, isScreenReader]);
	const height = Math.max(1, rows - 2);
	const place = placeOn(sheet, wanted, height);
	const entry = sheet.entries[place.entry];
	const isRunnable = entry?.key !== undefined || entry?.action !== undefined;

	const move = (to: Move | 'left' | 'right'): void => setPlace(before => movedOn(sheet, before, to, height));

	const type = (text: string, isTypingOn = true): void => {
		setFilter({filter: text, isTyping: isTypingOn});
		setPlace(before => (text === filter ? before : firstPlace));
	};

	const close = (): void => store.dispatch({type: 'close'});

	const run = (): void => {
		if (!isRunnable) {
			return;
		}

		close();
		if (entry.key === undefined) {
			act(entry.action!);
		} else {
			dispatcher.press(entry.key);
		}
	};

	useTypedLine({read: () => filter, type, keep: () => type(filter, false), leave: () => type('', false), move}, isTyping);
	useKeys(layers.overlay, {
		onMouse({kind, row, column}) {
			const clicked = sheet.columns[Math.floor(column / sheet.columnWidth)]?.[place.top + row - 1]?.entry;
			if (kind !== 'press') {
				setPlace(before => scrolledOn(sheet, before, kind === 'wheel-down' ? wheelRows : -wheelRows, height));
			} else if (clicked !== undefined && row > 0 && row <= height) {
				setPlace(({top}) => ({entry: clicked, top}));
			}

			return true;
		},
		onKey({name}) {
			const asked = keymap.actionOf(name, ['list', 'everywhere']);
			const step = moveOf(asked) ?? (asked === 'next-match' ? 'down' : asked === 'previous-match' ? 'up' : undefined);
			const isInRight = (sheet.spans[place.entry]?.column ?? 0) > 0;
			if (name === 'escape' && filter !== '') {
				type('', false);
			} else if (step !== undefined) {
				move(step);
			} else if (name === 'l' || name === 'right' || (isInRight && (name === 'h' || name === 'left'))) {
				move(name === 'l' || name === 'right' ? 'right' : 'left');
			} else if (asked === 'filter') {
				if (isAll) {
					type(filter);
				} else {
					onPage(true, true);
				}
			} else if (asked === 'help' && !moment.isEditing) {
				onPage(!isAll, false);
			} else if (name === 'enter' || asked === 'open') {
				run();
			} else if (asked === 'help' || isBackKey(keymap, name)) {
				close();
			}

			return true;
		},
	});
	const position =
		sheet.lineCount <= height ? '' : `${place.top + 1}–${Math.min(sheet.lineCount, place.top + height)} of ${sheet.lineCount}`;
	const status =
		isTyping || filter !== ''
			? `/${filter}${isTyping ? typingEnd : ''}${filter === '' ? '' : `  ${sheet.entries.length} found`}`
			: position;
	const hints: ReadonlyArray<Hint | undefined> = isTyping
		? [
				{key: 'enter', label: 'keep'},
				{key: 'esc', label: 'end the search', isKept: true},
				{key: 'up/down', label: 'move'},
			]
		: [
				moment.isEditing ? undefined : hintOf(keymap, 'help', isAll ? 'daily keys' : 'all keys'),
				hintOf(keymap, 'filter', 'find'),
				isRunnable ? {key: 'enter', label: 'run it'} : undefined,
				{key: 'esc', label: filter === '' ? 'back' : 'end the search', isKept: true},
			];
	return (
		<DetailFrame
			isPlain
			title={isAll && !moment.isEditing ? 'All keys' : 'Keys'}
			notes={[moment.isReadOnly ? 'read-only: changes are refused' : '', status]}
			hints={hints}
		>
			{sheet.entries.length === 0 ? (
				<Notice width={columns} height={height} tone="plain" title="Nothing matches." hint="Esc shows all keys." />
			) : (
				<Lines
					lines={Array.from({length: Math.min(height, sheet.lineCount - place.top)}, (_, index) =>
						sheetLine(sheet, place.top + index, {cursor: place.entry, filter}),
					)}
				/>
			)}
		</DetailFrame>
	);
}

/**
Returns all keys: the keys that work here come first, by task. All others name their place, because a key may have another effect here.
*/
function allGroups(keymap: Keymap, moment: Moment): readonly EntryGroup[] {
	const here = rowsHere(keymap, moment);
	const byTask = tasks.map(task => ({heading: task, rows: here.filter(({name}) => keyTable[name].task === task)}));
	if (moment.isEditing) {
		return byTask;
	}

	const others = keyRows(keymap).filter(({name, scope}) => scope !== 'text' && here.every(row => row.name !== name));
	const told = (isOnList: boolean) =>
		others
			.filter(({scope}) => scopesOf[moment.screen].includes(scope) === isOnList)
			.map(({keys, name, scope, description}) => ({
				keys,
				description: `on ${isOnList ? 'the list' : screensOf(scope).join(' and ')}: ${description}`,
				action: moment.isBusy ? undefined : name,
			}));
	return [
		...(moment.isOpened
			? [{heading: 'Here', rows: [{keys: 'Esc', description: 'dismiss an error, then go back to the list', key: 'escape'}]}]
			: []),
		...byTask,
		...lineGroups(keymap),
		{heading: 'On the list', rows: told(true)},
		{heading: 'In the filter', rows: filterSyntax.map(({term, description}) => ({keys: term, description}))},
		{
			heading: 'Signs',
			hasLongKeys: true,
			rows: signRows
				.filter(({isWordsInAscii}) => !(moment.isAscii && isWordsInAscii))
				.map(({sign, description}) => ({keys: sign, description})),
		},
		{heading: 'Elsewhere', rows: told(false)},
	];
}

/** Returns the actions that work here, each with its key. */
function rowsHere(keymap: Keymap, {screen, isOpened, isEditing}: Moment) {
	const scopes = isEditing ? ['text'] : (isOpened ? openedScopesOf : scopesOf)[screen];
	return keyRows(keymap)
		.filter(({name, scope}) => scopes.includes(scope) && !(isOpened && keyTable[name].worksOnRecord === false))
		.map(row => ({...row, key: keymap.keysOf(row.name)[0], action: isEditing ? undefined : row.name}));
}

/** Returns the keys for every day, on one page of 80×24. */
function dailyGroups(keymap: Keymap, moment: Moment): readonly EntryGroup[] {
	const rows = rowsHere(keymap, moment).filter(({name, key}) => key !== undefined && !(moment.isReadOnly && keyTable[name].writes));
	const ofTask = (task: KeyAction['task']) =>
		rows
			.filter(({name}) => keyTable[name].task === task)
			.flatMap(({name, key, action}) => {
				const daily = name === 'quit' && moment.isOpened ? 'go back' : dailyText(name);
				const labels = keymap
					.keysOf(name)
					.slice(0, 2)
					.map(each => keyLabel(each));
				const both = labels.join(', ');
				const row = {keys: both.length > shortKeysColumns ? labels[0]! : both, key, action};
				return daily === undefined ? [] : [{...row, description: daily}];
			});
	return [...dailyHeadings.map(([heading, ofTasks]) => ({heading, rows: ofTasks.flatMap(task => ofTask(task))})), ...lineGroups(keymap)];
}

/** Returns the lines that have keys in the settings file, if any. */
const lineGroups = ({lines}: Keymap): readonly EntryGroup[] =>
	lines.length === 0
		? []
		: [{heading: 'Keys of your own', rows: lines.map(({line, keys}) => ({keys: keyLabels(keys), description: line, key: keys[0]!}))}];

/** Returns only the entries that contain a text, under their headings. */
const narrowed = (groups: readonly EntryGroup[], filter: string): readonly EntryGroup[] =>
	groups
		.map(group =>
			filter.trim() === ''
				? group
				: {...group, rows: group.rows.filter(({keys, description}) => findText([`${keys} ${description}`], filter).length > 0)},
		)
		.filter(({rows}) => rows.length > 0);

/** Returns a line of the screen: the line of each column. The cursor is on all lines of its entry. */
function sheetLine(
	{columns, columnWidth, keyColumns, entries, spans}: Sheet,
	index: number,
	{cursor, filter}: {readonly cursor: number; readonly filter: string},
) {
	const parts = columns.flatMap((lines): readonly Part[] => {
		const {label = '', text = '', entry} = lines[index] ?? {};
		if (entry === undefined) {
			return [[` ${fit(text, columnWidth - 1)}`, theme.title]];
		}

		const isCursor = entry === cursor;
		const look = isCursor ? theme.current : theme.plain;
		const gap = columnWidth - markerColumns - keyColumns - stringWidth(text);
		return [
			[
				isCursor && spans[entry]!.start === index ? withCursor('row', ` ${signs.cursor} `) : ' '.repeat(markerColumns),
				{...theme.accent, bold: true},
			],
			...highlightedParts(label, found(label, filter), {...theme.accent, ...look}),
			[' '.repeat(Math.max(0, keyColumns - stringWidth(label))), look],
			...highlightedParts(text, found(text, filter), look),
			[' '.repeat(Math.max(0, gap - 1)), look],
			[' '],
		];
	});
	const {text = '', entry} = columns[0]![index] ?? {};
	const isContinued = entry !== undefined && spans[entry]!.start !== index;
	const {keys, description} = entries[entry ?? -1] ?? {keys: '', description: ''};
	return lineOf(
		parts,
		entry === undefined ? text : isContinued ? '' : spokenRow(entry === cursor, `${keys.replaceAll(', ', ' or ')}: ${description}`),
	);
}

const found = (text: string, filter: string): ReadonlySet<number> =>
	new Set(
		findText([text], filter)
			.flat()
			.flatMap(({start, end}) => Array.from({length: end - start}, (_, index) => start + index)),
	);

/** Draws a topic of the program's help, as `switchboard help` prints it. */
export function TopicScreen({topic}: {readonly topic: HelpTopic}): ReactElement {
	const columns = useAppState(({size}) => size.columns);
	const [text, setText] = useState('');
	useEffect(() => {
		let isWanted = true;
		const read = async (): Promise<void> => {
			const laid = await topic.text(Math.min(columns - 2, maximumColumns));
			if (isWanted) {
				setText(laid);
			}
		};

		void read();
		return () => {
			isWanted = false;
		};
	}, [topic, columns]);
	const lines = useMemo(() => textLines(text, columns - 2).map(line => ({text: line})), [text, columns]);
	return <ScrollOverlay title={`Help: ${topic.name}`} lines={lines} action="help" />;
}
