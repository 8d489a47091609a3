import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {type ReactElement, useMemo, useState} from 'react';
import {Box, Text} from 'ink';
import {localProfileName} from '../../settings/profile.ts';
import {useAppState, useUiServices, type UiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import {scopesOf, screensOf} from '../keys/key-table.ts';
import {keyRows} from '../keys/keymap.ts';
import {parseFilter} from '../../interface/filter.ts';
import {createRowFilter} from '../state/rows.ts';
import type {ScreenName} from '../state/view.ts';
import {spokenText} from '../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {type Line, List} from '../widgets/list.tsx';
import {
	cursorRowOf,
	initialListState,
	lineMoveOf,
	moved,
} from '../widgets/list-state.ts';
import {HintLine, Notice} from '../widgets/notice.tsx';
import {highlightedParts} from '../widgets/row.ts';
import {editedLine, withPasted} from '../widgets/text-editing.ts';
import {fit} from '../widgets/wrap.ts';
import {overlayLine, rowStart} from './list-overlay.tsx';
import {showProfile} from './profiles.tsx';

type PaletteEntry = {
	readonly name: string;
	readonly description: string;
	/** Joined by commas. */
	readonly keys: string;
	/** The screens on which it works, if the current screen is not one of them. */
	readonly elsewhere: string;
	run(): void;
};

/** All actions and profiles; those that work on the current screen come first. */
const paletteEntries = (ui: UiServices, screen: ScreenName): ReadonlyArray<PaletteEntry & {readonly id: number}> => {
	const {keymap} = ui;
	const actions = keyRows(keymap)
		// The palette is open already, and does not open over the editor.
		.filter(({name, scope}) => name !== 'palette' && scope !== 'text')
		.map(({name, keys, scope, description}): PaletteEntry => ({
			name,
			description,
			keys,
			elsewhere: scopesOf[screen].includes(scope) ? '' : screensOf(scope).join(' and '),
			run() {
				ui.act(name);
			},
		}));
	const profiles = keymap.isAvailable('profiles') ? [localProfileName, ...ui.profiles().map(({name}) => name)] : [];
	return [
		...actions.filter(({elsewhere}) => elsewhere === ''),
		...profiles.map((name): PaletteEntry => ({
			name: `profile ${name}`,
			description: `switch to the profile ${name}`,
			keys: '',
			elsewhere: '',
			run() {
				void showProfile(ui, name);
			},
		})),
		...actions.filter(({elsewhere}) => elsewhere !== ''),
	].map((entry, id) => ({...entry, id}));
};

const leastNameWidth = 20;
const mostNameWidth = 34;

type PaletteLineOptions = {
	readonly positions: ReadonlySet<number>;
	readonly isCursor: boolean;
	readonly width: number;
	/** Columns of the longest name: names of profiles may differ only at their end. */
	readonly longestName: number;
};

/** One action of the palette on one line: name, keys, and what it does if there is room. */
const paletteLine = (entry: PaletteEntry, {positions, isCursor, width, longestName}: PaletteLineOptions): Line => {
	const wanted = Math.min(mostNameWidth, Math.max(leastNameWidth, longestName + 1));
	const nameWidth = Math.min(wanted, Math.floor((width - rowStart) * 0.6));
	const keysWidth = Math.min(18, width - rowStart - nameWidth - 1);
	const room = width - rowStart - nameWidth - keysWidth - 1;
	const look = entry.elsewhere === '' || isCursor ? theme.plain : theme.secondary;
	const name = cliTruncate(entry.name, nameWidth);
	return overlayLine(isCursor, [
		...highlightedParts(name, positions, isCursor ? theme.current : look),
		[' '.repeat(nameWidth - stringWidth(name))],
		[fit(entry.keys, keysWidth), theme.accent],
		[room > 10 ? cliTruncate(entry.description, room) : '', look],
	], spokenText(entry.name, entry.keys, entry.description));
};

/** Finds an action or a profile by name, description or key, as lists are filtered, and carries it out. */
export const PaletteScreen = (): ReactElement => {
	const ui = useUiServices();
	const {size, screen} = useAppState();
	const [text, setText] = useState('');
	const [cursor, setCursor] = useState(initialListState);
	const [chooseRows] = useState(createRowFilter);
	const entries = useMemo(() => paletteEntries(ui, screen), [screen, ui]);
	const longestName = useMemo(() => Math.max(...entries.map(({name}) => stringWidth(name))), [entries]);
	const {ids, highlight} = useMemo(() => {
		const found = chooseRows(entries, {
			filter: text,
			sort: {column: 'none', isReversed: false},
			toRowData: ({name, keys, description}) => ({name, triggerPhrases: keys.split(', '), text: description}),
		});
		// `m` and `M` are two keys.
		const isExact = (id: number): boolean => text.trim() !== '' && [entries[id]!.name, ...entries[id]!.keys.split(', ')].includes(text.trim());
		return {
			ids: found.ids.toSorted((first, second) => Number(isExact(second)) - Number(isExact(first))),
			highlight: parseFilter(text).highlight(found.isFuzzy),
		};
	}, [chooseRows, entries, text]);
	const listRows = Math.max(1, size.rows - 3);
	const current = entries[ids[cursorRowOf(cursor, ids)] ?? -1];

	const type = (typed: string): void => {
		setText(typed);
		setCursor(initialListState);
	};

	useKeys(layers.line, {
		onKey(key) {
			const move = lineMoveOf(key.name);
			const typed = editedLine(text, key);
			if (key.name === 'escape' || (key.name === 'backspace' && text === '')) {
				ui.store.dispatch({type: 'close'});
			} else if (move !== undefined) {
				setCursor(before => moved(before, ids, move, listRows));
			} else if (typed !== undefined) {
				type(typed);
			} else if (key.name === 'enter') {
				if (current !== undefined) {
					ui.store.dispatch({type: 'close'});
					current.run();
				}
			} else {
				return false;
			}

			return 'settle';
		},
		onPaste(pasted) {
			type(withPasted(text, pasted.trim()));
			return true;
		},
	});

	const where = current === undefined || current.elsewhere === '' ? '' : ` (on ${current.elsewhere})`;
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Text wrap='truncate-end'>
				<Text {...theme.title}>{` :${cliTruncate(text, size.columns - 20)}_`}</Text>
				<Text {...theme.secondary}>{`   ${ids.length} of ${entries.length}`}</Text>
			</Text>
			{ids.length === 0
				? <Notice width={size.columns} height={listRows} tone='plain' title='No matching action.' hint='Ctrl+U clears the text.'/>
				: (
					<List
						state={cursor}
						ids={ids}
						visibleRows={listRows}
						lineOf={(row, isCursor) => {
							const entry = entries[ids[row]!]!;
							return paletteLine(entry, {
								positions: highlight.matchPositions(entry.name), isCursor, width: size.columns, longestName,
							});
						}}
					/>
				)}
			<Text {...theme.secondary} wrap='truncate-end' aria-hidden>{` ${current?.description ?? ''}${where}`}</Text>
			<HintLine width={size.columns} hints={[{key: 'enter', label: 'run'}, {key: 'up/down', label: 'move'}, {key: 'esc', label: 'back'}]}/>
		</Box>
	);
};
