import fuzzysort from 'fuzzysort';
import {keyRows} from '../keys/hints.ts';
import {screensOf, type ActionName, type Place} from '../keys/key-table.ts';
import {type Keymap} from '../keys/keymap.ts';
import {
	initialListState,
	moved,
	type ListState,
	type Move,
} from '../widgets/list/list-state.ts';

/** One thing that the palette offers. */
export type PaletteEntry = {
	readonly name: string;
	readonly description: string;
	readonly keys: string;
	/** The screens on which it acts, where the one shown is none of them. */
	readonly elsewhere: string;
	readonly choice: {readonly kind: 'action'; readonly action: ActionName} | {readonly kind: 'profile'; readonly profileName: string};
};

export type PaletteMatch = {
	readonly entry: PaletteEntry;
	/** Where the name fits what is typed: places of UTF-16 units. */
	readonly places: ReadonlySet<number>;
};

const nowhere: ReadonlySet<number> = new Set();

/** Below this only scattered letters fit. */
const leastScore = 0.3;

/** Everything that can be asked for by name; what acts on the screen shown comes first. */
export const paletteEntries = (keymap: Keymap, places: readonly Place[], profileNames: readonly string[]): readonly PaletteEntry[] => {
	const actions = keyRows(keymap)
		// It is open already.
		.filter(({name}) => name !== 'palette')
		.map(({name, keys, place, description}): PaletteEntry => ({
			name, description, keys, elsewhere: places.includes(place) ? '' : screensOf(place).join(' and '), choice: {kind: 'action', action: name},
		}));
	const profiles = profileNames.map((profileName): PaletteEntry => ({
		name: `profile ${profileName}`, description: `show the service of the profile ${profileName}`, keys: '', elsewhere: '', choice: {kind: 'profile', profileName},
	}));
	return [
		...actions.filter(({elsewhere}) => elsewhere === ''),
		...profiles,
		...actions.filter(({elsewhere}) => elsewhere !== ''),
	];
};

/** What fits a typed text by its name, its description or a key, the best first; everything for an empty one. */
export const choosePalette = (entries: readonly PaletteEntry[], text: string): readonly PaletteMatch[] => {
	const search = text.trim();
	if (search === '') {
		return entries.map(entry => ({entry, places: nowhere}));
	}

	const exact = new Set(entries.filter(({name, keys}) => name === search || keys.split(', ').includes(search)));
	const results = fuzzysort.go(search, entries, {
		keys: [entry => entry.name, entry => entry.description, entry => entry.keys],
		threshold: leastScore,
		limit: 0,
		// What acts here is meant rather than what does not.
		scoreFn: result => result.score * (result.obj.elsewhere === '' ? 1 : 0.9),
	});
	const matches = results.map(result => ({entry: result.obj, places: new Set(result[0]!.score > 0 ? result[0]!.indexes : [])}));
	// `m` and `M` are two keys, which the matcher does not tell apart.
	return [...matches.filter(({entry}) => exact.has(entry)), ...matches.filter(({entry}) => !exact.has(entry))];
};

export type PaletteState = {readonly text: string; readonly list: ListState};

export type PaletteAction =
	| {readonly type: 'edit'; readonly text: string}
	| {readonly type: 'move'; readonly move: Move; readonly rowCount: number; readonly visibleRows: number};

export const initialPalette: PaletteState = {text: '', list: initialListState};

/** Rows are known by their number: each change of the text begins at the first. */
export const reducePalette = (state: PaletteState, action: PaletteAction): PaletteState => {
	switch (action.type) {
		case 'edit': {
			return {text: action.text, list: initialListState};
		}

		case 'move': {
			const rows = Array.from({length: action.rowCount}, (_, row) => row);
			return {...state, list: moved(state.list, rows, action.move, action.visibleRows)};
		}
	}
};
