import {
	useMemo,
	useState,
	useSyncExternalStore,
	type ReactElement,
} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {localProfileName} from '../../settings/profile.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {scopesOf} from '../keys/key-table.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {editedLine, withPasted} from '../state/edit-line.ts';
import {
	createPaletteStore,
	moveInPalette,
	paletteEntries,
	searchPalette,
	typeInPalette,
	type PaletteState,
} from '../state/palette.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {cursorRowOf, lineMoveOf, List} from '../widgets/list/index.ts';
import {Notice} from '../widgets/notice.tsx';
import {paletteLine} from '../widgets/palette-row.ts';
import {showProfile} from './show-profile.ts';

/** Finds an action or a profile by name, description or key, and carries it out. */
export const PaletteScreen = (): ReactElement => {
	const ui = useUiServices();
	const {keymap} = ui;
	const {size, screen} = useAppState();
	const [store] = useState(createPaletteStore);
	const state = useSyncExternalStore(store.subscribe, store.getState);
	const entries = useMemo(
		() => paletteEntries(keymap, scopesOf[screen], keymap.isAvailable('profiles') ? [localProfileName, ...ui.profiles().map(({name}) => name)] : []),
		[keymap, screen, ui],
	);
	const longestName = useMemo(() => Math.max(...entries.map(({name}) => stringWidth(name))), [entries]);
	const matches = useMemo(() => searchPalette(entries, state.text), [entries, state.text]);
	const listRows = Math.max(1, size.rows - 3);

	/** The entry under the cursor as of a state: an earlier key in the same chunk may have changed it since the frame. */
	const entryAt = ({text, list}: PaletteState) => {
		const chosen = searchPalette(entries, text);
		return chosen[cursorRowOf(list, [...chosen.keys()])]?.entry;
	};

	const choose = (): void => {
		const entry = entryAt(store.getState());
		if (entry === undefined) {
			return;
		}

		ui.store.dispatch({type: 'close'});
		if (entry.choice.kind === 'action') {
			ui.act(entry.choice.action);
		} else {
			void showProfile(ui, entry.choice.profileName);
		}
	};

	useKeys(layers.line, {
		onKey(key) {
			const {text} = store.getState();
			const move = lineMoveOf(key.name);
			if (key.name === 'enter') {
				choose();
				return 'settle';
			}

			if (key.name === 'escape' || (key.name === 'backspace' && text === '')) {
				ui.store.dispatch({type: 'close'});
				return 'settle';
			}

			if (move !== undefined) {
				moveInPalette(store, move, searchPalette(entries, text).length, listRows);
				return true;
			}

			const typed = editedLine(text, key);
			if (typed !== undefined) {
				typeInPalette(store, typed);
			}

			return typed !== undefined;
		},
		onPaste(text) {
			typeInPalette(store, withPasted(store.getState().text, text.trim()));
			return true;
		},
	});

	const current = entryAt(state);
	const where = current === undefined || current.elsewhere === '' ? '' : ` (on ${current.elsewhere})`;
	return (
		<Box flexDirection='column' height={size.rows} overflow='hidden'>
			<Text wrap='truncate-end'>
				<Text {...theme.title}>{` :${cliTruncate(state.text, size.columns - 20)}_`}</Text>
				<Text {...theme.secondary}>{`   ${matches.length} of ${entries.length}`}</Text>
			</Text>
			{matches.length === 0
				? <Notice width={size.columns} height={listRows} tone='plain' title='No matching action.' hint='Ctrl+U clears the text.'/>
				: (
					<List
						state={state.list}
						ids={[...matches.keys()]}
						visibleRows={listRows}
						lineOf={(row, isCursor) => paletteLine({
							...matches[row]!, isCursor, width: size.columns, longestName,
						})}
					/>
				)}
			<Text {...theme.secondary} wrap='truncate-end' aria-hidden>{` ${current?.description ?? ''}${where}`}</Text>
			<HintLine width={size.columns} hints={[{key: 'enter', label: 'run'}, {key: 'up/down', label: 'move'}, {key: 'esc', label: 'back'}]}/>
		</Box>
	);
};
