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
import {createStore, type Store} from './store.ts';
import {withValues} from './with-values.ts';

/** An action or a profile in the palette. */
type PaletteEntry = {
	readonly name: string;
	readonly description: string;
	readonly keys: string;
	/** The screens on which it works, if the current screen is not one of them. */
	readonly elsewhere: string;
	readonly choice: {readonly kind: 'action'; readonly action: ActionName} | {readonly kind: 'profile'; readonly profileName: string};
};

export type PaletteMatch = {
	readonly entry: PaletteEntry;
	/** Where the name matches what is typed: positions of UTF-16 units. */
	readonly positions: ReadonlySet<number>;
};

/** All actions and profiles; those that work on the current screen come first. */
export const paletteEntries = (keymap: Keymap, scopes: readonly KeyScope[], profileNames: readonly string[]): readonly PaletteEntry[] => {
	const actions = keyRows(keymap)
		// The palette is open already, and does not open over the editor.
		.filter(({name, scope}) => name !== 'palette' && scope !== 'text')
		.map(({name, keys, scope, description}): PaletteEntry => ({
			name, description, keys, elsewhere: scopes.includes(scope) ? '' : screensOf(scope).join(' and '), choice: {kind: 'action', action: name},
		}));
	const profiles = profileNames.map((profileName): PaletteEntry => ({
		name: `profile ${profileName}`, description: `switch to the profile ${profileName}`, keys: '', elsewhere: '', choice: {kind: 'profile', profileName},
	}));
	return [
		...actions.filter(({elsewhere}) => elsewhere === ''),
		...profiles,
		...actions.filter(({elsewhere}) => elsewhere !== ''),
	];
};

type RankedMatch = {readonly rank: number; readonly positions: readonly number[]};

/** Matches in a description rank after those in a name, then those in a key, then subsequences of a name. */
const descriptionRank = 10;
const keyRank = 20;
const fuzzyRank = 30;

const matchName = (name: string, word: string, isFuzzy: boolean): RankedMatch | undefined => {
	const {text, offsets} = toDisplayText(name);
	const substring = findSubstring(text, word);
	if (substring !== undefined && (substring.rank < insideWordRank || word.length > 1)) {
		return {rank: substring.rank, positions: Array.from({length: word.length}, (_, index) => offsets[substring.position + index]!)};
	}

	const letters = isFuzzy ? findSubsequence(text, word, [0, text.folded.length]) : undefined;
	return letters?.[0] === 0 ? {rank: fuzzyRank, positions: letters.map(position => offsets[position]!)} : undefined;
};

/** In a sentence only the start of a word counts: matches inside words are chance. */
const rankInDescription = (description: string, word: string): number | undefined => {
	const substring = findSubstring(toSearchText([description]), word);
	return substring !== undefined && substring.rank < insideWordRank ? descriptionRank + substring.rank : undefined;
};

const matchWord = ({name, description, keys}: PaletteEntry, word: string, isFuzzy: boolean): RankedMatch | undefined => {
	const inName = matchName(name, word, false);
	const rank = rankInDescription(description, word) ?? (keys.split(', ').some(key => fold(key).startsWith(word)) ? keyRank : undefined);
	return inName ?? (rank === undefined ? matchName(name, word, isFuzzy) : {rank, positions: []});
};

const matchEntry = (entry: PaletteEntry, words: readonly string[], isFuzzy: boolean): RankedMatch | undefined => {
	const matches = words.map(word => matchWord(entry, word, isFuzzy)).filter(match => match !== undefined);
	return matches.length < words.length
		? undefined
		: {rank: matches.reduce((sum, {rank}) => sum + rank, 0), positions: matches.flatMap(({positions}) => positions)};
};

/**
The entries that match a typed text, best first: a name or a key equal to it, then each word in the name, in the
description or in a key. Subsequences of a name count only if nothing else matches. An empty text matches everything.
*/
export const searchPalette = (entries: readonly PaletteEntry[], text: string): readonly PaletteMatch[] => {
	const search = text.trim();
	if (search === '') {
		return entries.map(entry => ({entry, positions: new Set()}));
	}

	const words = search.split(/\s+/).map(word => fold(word));
	const matchAll = (isFuzzy: boolean) => entries.flatMap(entry => {
		const match = matchEntry(entry, words, isFuzzy);
		// `m` and `M` are two keys.
		const isExact = entry.name === search || entry.keys.split(', ').includes(search);
		return match === undefined ? [] : [{entry, rank: isExact ? -1 : match.rank, positions: new Set(match.positions)}];
	});
	const exact = matchAll(false);
	return (exact.length > 0 ? exact : matchAll(true))
		.toSorted((first, second) => first.rank - second.rank)
		.map(({entry, positions}) => ({entry, positions}));
};

export type PaletteState = {readonly text: string; readonly list: ListState};

type PaletteStore = Store<PaletteState, Partial<PaletteState>>;

export const createPaletteStore = (): PaletteStore => createStore<PaletteState, Partial<PaletteState>>(withValues, {text: '', list: initialListState});

/** Rows are known by their number: another text goes back to the first. */
export const typeInPalette = ({dispatch}: PaletteStore, text: string): void => {
	dispatch({text, list: initialListState});
};

export const moveInPalette = ({getState, dispatch}: PaletteStore, move: Move, rowCount: number, visibleRows: number): void => {
	dispatch({list: moved(getState().list, [...Array.from({length: rowCount}).keys()], move, visibleRows)});
};
