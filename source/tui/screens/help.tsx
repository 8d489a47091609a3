import {useMemo, type ReactElement} from 'react';
import {Box, useIsScreenReaderEnabled} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {keyRows} from '../keys/hints.ts';
import {
	keyTable,
	openedScopesOf,
	scopesOf,
	screensOf,
	tasks,
} from '../keys/key-table.ts';
import {type Keymap} from '../keys/keymap.ts';
import {type ScreenName} from '../state/view.ts';
import {filterSyntax} from '../state/filter-syntax.ts';
import {maximumColumns} from '../state/layout.ts';
import {signRows} from '../state/signs.ts';
import {helpColumns, type HelpGroup} from '../widgets/help-lines.ts';
import {ScrollText, searchedText} from '../widgets/scroll-text.tsx';
import {ScrollOverlay} from './scroll-overlay.tsx';

/**
The keys that work here come first, by task. The others say where they work, since a key may do something else here.

@param moment.isOpened - true if a record of the screen is open.
@param moment.isEditing - true if a text is being edited: there only the keys of the editor work.
*/
const helpGroups = (keymap: Keymap, screen: ScreenName, {isOpened, isEditing, isReadOnly}: Readonly<Record<'isOpened' | 'isEditing' | 'isReadOnly', boolean>>): readonly HelpGroup[] => {
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

/** The smallest width with room for two columns. */
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
	const texts = useMemo(() => columns.flat().map(line => searchedText(line)), [columns]);
	return (
		<ScrollOverlay
			title='Keys'
			texts={texts}
			rowCount={columns[0]!.length}
			action='help'
			renderLines={(top, height, partsIn) => columns.map((lines, column) => (
				<Box key={column} flexDirection='column' width={Math.floor(width / columnCount)} flexShrink={0}>
					<ScrollText
						lines={lines}
						labelColumns={keyColumns}
						labelTone='accent'
						top={top}
						height={height}
						partsIn={line => partsIn((column * lines.length) + line)}
					/>
				</Box>
			))}
		/>
	);
};
