import {keyRows} from '../keys/hints.ts';
import {screensOf, type ActionName, type KeyScope} from '../keys/key-table.ts';
import {type Keymap} from '../keys/keymap.ts';
import {
	initialListState,
	moved,
	type ListState,
	type Move,
} from '../widgets/list/list-state.ts';
import {
	findSubsequence,
	findSubstring,
	fold,
	insideWordRank,
	toSearchText,
	toDisplayText,
} from './match.ts';

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
	/** Where the name fits what is typed: positions of UTF-16 units. */
	readonly positions: ReadonlySet<number>;
};

/** Everything that can be asked for by name; what acts on the screen shown comes first. */
export const paletteEntries = (keymap: Keymap, scopes: readonly KeyScope[], profileNames: readonly string[]): readonly PaletteEntry[] => {
	const actions = keyRows(keymap)
		// It is open already.
		.filter(({name}) => name !== 'palette')
		.map(({name, keys, scope, description}): PaletteEntry => ({
			name, description, keys, elsewhere: scopes.includes(scope) ? '' : screensOf(scope).join(' and '), choice: {kind: 'action', action: name},
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

type Fit = {readonly rank: number; readonly positions: readonly number[]};

/** Ranks of a word that stands in a name, in a description, in a key, and of one whose letters alone stand in a name. */
const descriptionRank = 10;
const keyRank = 20;
const lettersRank = 30;

const fitInName = (name: string, word: string, isFuzzy: boolean): Fit | undefined => {
	const {text, origins} = toDisplayText(name);
	const standing = findSubstring(text, word);
	if (standing !== undefined && (standing.rank < insideWordRank || word.length > 1)) {
		return {rank: standing.rank, positions: Array.from({length: word.length}, (_, index) => origins[standing.position + index]!)};
	}

	const letters = isFuzzy ? findSubsequence(text, word, [0, text.folded.length]) : undefined;
	return letters?.[0] === 0 ? {rank: lettersRank, positions: letters.map(position => origins[position]!)} : undefined;
};

/** Within a sentence, a word is meant from its start on: inside another one it stands by chance. */
const rankInDescription = (description: string, word: string): number | undefined => {
	const standing = findSubstring(toSearchText([description]), word);
	return standing !== undefined && standing.rank < insideWordRank ? descriptionRank + standing.rank : undefined;
};

const fitOfWord = ({name, description, keys}: PaletteEntry, word: string, isFuzzy: boolean): Fit | undefined => {
	const inName = fitInName(name, word, false);
	const rank = rankInDescription(description, word) ?? (keys.split(', ').some(key => fold(key).startsWith(word)) ? keyRank : undefined);
	return inName ?? (rank === undefined ? fitInName(name, word, isFuzzy) : {rank, positions: []});
};

const fitOf = (entry: PaletteEntry, words: readonly string[], isFuzzy: boolean): Fit | undefined => {
	const fits = words.map(word => fitOfWord(entry, word, isFuzzy)).filter(fit => fit !== undefined);
	return fits.length < words.length
		? undefined
		: {rank: fits.reduce((sum, {rank}) => sum + rank, 0), positions: fits.flatMap(({positions}) => positions)};
};

/**
What fits a typed text: a name or a key that is the text itself, then each word in the name, in the description or in a key,
the best first. Letters of a name with others between count only where nothing else fits. Everything for an empty text.
*/
export const searchPalette = (entries: readonly PaletteEntry[], text: string): readonly PaletteMatch[] => {
	const search = text.trim();
	if (search === '') {
		return entries.map(entry => ({entry, positions: new Set()}));
	}

	const words = search.split(/\s+/).map(word => fold(word));
	const fitting = (isFuzzy: boolean) => entries.flatMap(entry => {
		const fit = fitOf(entry, words, isFuzzy);
		// `m` and `M` are two keys.
		const isExact = entry.name === search || entry.keys.split(', ').includes(search);
		return fit === undefined ? [] : [{entry, rank: isExact ? -1 : fit.rank, positions: new Set(fit.positions)}];
	});
	const standing = fitting(false);
	return (standing.length > 0 ? standing : fitting(true))
		.toSorted((first, second) => first.rank - second.rank)
		.map(({entry, positions}) => ({entry, positions}));
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
