import {
	useEffect,
	useMemo,
	useState,
	type ReactElement,
} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {
	keyTable,
	openedScopesOf,
	scopesOf,
	screensOf,
	tasks,
} from '../keys/key-table.ts';
import {keyRows, type Keymap} from '../keys/keymap.ts';
import {filterSyntax} from '../state/filter-syntax.ts';
import {maximumColumns} from '../state/layout.ts';
import type {HelpTopic} from '../state/app-state.ts';
import {signRows} from '../state/signs.ts';
import type {ScreenName} from '../state/view.ts';
import {spokenText} from '../terminal/spoken-text.ts';
import {textLines, type ScrollLine} from '../widgets/scroll-text.tsx';
import {wrapText} from '../widgets/wrap.ts';
import {ScrollOverlay} from './scroll-overlay.tsx';

/** Keys and what they do; under a heading if there is one. */
type HelpGroup = {
	readonly heading?: string;
	/** True if its longest keys go on below, rather than leave less room for all descriptions. */
	readonly hasLongKeys?: boolean;
	readonly rows: ReadonlyArray<{readonly keys: string; readonly description: string}>;
};

type Lines = readonly ScrollLine[];

const noLine: ScrollLine = {text: '', spoken: ''};

/** A row in lines: keys and description each continue below themselves. The first line is read out for all. */
const rowLines = ({keys, description}: HelpGroup['rows'][number], keyColumns: number, width: number): Lines => {
	const keyLines = wrapText(keys, keyColumns - 1);
	const descriptionLines = wrapText(description, width - keyColumns - 2);
	return Array.from({length: Math.max(1, keyLines.length, descriptionLines.length)}, (_, index) => ({
		label: keyLines[index] ?? '',
		text: descriptionLines[index] ?? '',
		spoken: index === 0 ? spokenText(keys, description) : '',
	}));
};

/** Groups one below the other, with an empty line between two. */
const stacked = (groups: readonly Lines[]): Lines => groups.flatMap((lines, index) => index === 0 ? lines : [noLine, ...lines]);

const heightOf = (columns: readonly Lines[]): number => Math.max(...columns.map(({length}) => length));

/** All groups in one or two columns. Two are divided where that makes them shortest, and have the same height. */
const helpColumns = (groups: readonly HelpGroup[], width: number, columnCount: 1 | 2) => {
	const columnWidth = Math.floor(width / columnCount);
	const longestKeys = Math.max(...groups.flatMap(({rows, hasLongKeys = false}) => hasLongKeys ? [] : rows.map(({keys}) => keys.length)));
	const keyColumns = Math.min(18, longestKeys + 2, Math.floor(columnWidth / 2));
	const blocks = groups.filter(({rows}) => rows.length > 0).map(({heading, rows}): Lines => [
		...(heading === undefined ? [] : [{text: heading, tone: 'title'} as const]),
		...rows.flatMap(row => rowLines(row, keyColumns, columnWidth)),
	]);
	if (columnCount === 1) {
		return {columns: [stacked(blocks)] as const, keyColumns};
	}

	const divided = blocks.map((_, index) => [stacked(blocks.slice(0, index + 1)), stacked(blocks.slice(index + 1))] as const);
	const [left, right] = divided.toSorted((first, second) => heightOf(first) - heightOf(second))[0]!;
	const filled = (lines: Lines): Lines => [...lines, ...Array.from({length: heightOf([left, right]) - lines.length}, () => noLine)];
	return {columns: [filled(left), filled(right)] as const, keyColumns};
};

/**
The keys that work here come first, by task. The others say where they work, since a key may do something else here.

@param moment.isOpened - true if a record of the screen is open.
@param moment.isEditing - true if a text is being edited: there only the keys of the editor work.
*/
const helpGroups = (keymap: Keymap, screen: ScreenName, moment: Readonly<Record<'isOpened' | 'isEditing' | 'isReadOnly', boolean>>): readonly HelpGroup[] => {
	const {isOpened, isEditing, isReadOnly} = moment;
	const scopes = (isOpened ? openedScopesOf : scopesOf)[screen];
	const rows = keyRows(keymap);
	const inEditor = rows.filter(({scope}) => scope === 'text');
	if (isEditing) {
		return tasks.map(task => ({heading: task, rows: inEditor.filter(({name}) => keyTable[name].task === task)}));
	}

	const own = rows.filter(({scope}) => scopes.includes(scope));
	const here = own.filter(({name}) => !isOpened || keyTable[name].worksOnRecord !== false);
	const onList = own.filter(row => !here.includes(row)).map(({description, ...row}) => ({...row, description: `on the list: ${description}`}));
	const elsewhere = rows
		.filter(({scope}) => !scopes.includes(scope) && scope !== 'text')
		.map(({scope, description, ...row}) => ({...row, description: `on ${screensOf(scope).join(' and ')}: ${description}`}));
	return [
		...(isReadOnly ? [{rows: [{keys: 'Read-only', description: 'this run is read-only: keys that change something are refused'}]}] : []),
		...(isOpened ? [{rows: [{keys: 'Esc', description: 'dismiss an error, then go back to the list'}]}] : []),
		...tasks.map(task => ({heading: task, rows: here.filter(({name}) => keyTable[name].task === task)})),
		{heading: 'On the list', rows: onList},
		{heading: 'In the filter', rows: filterSyntax.map(({term, description}) => ({keys: term, description}))},
		{heading: 'Signs', hasLongKeys: true, rows: signRows.map(({sign, description}) => ({keys: sign, description}))},
		{heading: 'Elsewhere', rows: elsewhere},
	];
};

const wideColumns = 100;

/** All keys, from the table that the dispatcher uses. */
export const HelpScreen = (): ReactElement => {
	const {keymap, isReadOnly} = useUiServices();
	const {size, screen, overlays} = useAppState();
	const opened = overlays.findLast(({kind}) => kind === 'agent' || kind === 'ability');
	const isOpened = opened !== undefined;
	const isEditing = overlays.some(({kind}) => kind === 'prompt-editor');
	// An ability may have been opened from an agent.
	const shown = opened?.kind === 'ability' ? opened.resource : screen;
	const isScreenReader = useIsScreenReaderEnabled();
	// A screen reader reads whole lines: one column only.
	const columnCount = size.columns >= wideColumns && !isScreenReader ? 2 : 1;
	const width = Math.min(size.columns, maximumColumns);
	const {columns, keyColumns} = useMemo(
		() => helpColumns(helpGroups(keymap, shown, {isOpened, isEditing, isReadOnly}), width, columnCount),
		[keymap, shown, isOpened, isEditing, isReadOnly, width, columnCount],
	);
	return <ScrollOverlay title='Keys' columns={columns} columnWidth={Math.floor(width / columnCount)} labelColumns={keyColumns} labelTone='accent' action='help'/>;
};

/** A topic of the program's help, as `switchboard help` prints it. */
export const TopicScreen = ({topic}: {readonly topic: HelpTopic}): ReactElement => {
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
	return <ScrollOverlay title={`Help: ${topic.name}`} columns={[lines]} action='help'/>;
};
