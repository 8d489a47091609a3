import {normalizeText} from './clean-text.ts';
import {fold} from './match.ts';
import {cleanName} from './records.ts';

/** Records by name (`docs/compatibility.md`, Commands). */
export type NameIndex<Record_> = {
	/**
	The records with exactly this name, as it is shown; if there are none, the records with the name in any case.

	@param isExact - true if other cases do not count, because another name differs only in case (`findCaseVariants`).
	*/
	readonly find: (name: string, isExact?: boolean) => readonly Record_[];
	readonly findNear: (name: string) => readonly string[];
};

/** Returns a text that is equal for two displayed names that differ only in case. */
export function nameIdentity(name: string): string {
	return foldName(cleanName(name));
}

/**
Finds the record that already has the new name of another record. If the new name differs only in case from the record's own name, it is
taken only if another record has exactly that spelling.
*/
export function findNamesake<Record_ extends {readonly id: number; readonly name: string}>(
	records: readonly Record_[],
	{id, name}: Record_,
	newName: string,
): Record_ | undefined {
	const spelled = cleanName(newName);
	const found =
		name === spelled ? [] : indexNames(records.filter(record => record.id !== id)).find(spelled, foldName(name) === foldName(spelled));
	return found[0];
}

/** A state file with more wrong names is for another service, and its other problems are not shown. */
const maximumNearLookups = 20;

/** Each lookup compares every name, which takes long in a large account: only the first one is always made. */
const maximumComparisons = 5000;

export function indexNames<Record_ extends {readonly name: string}>(records: readonly Record_[]): NameIndex<Record_> {
	const byName = Map.groupBy(records, ({name}) => foldName(name));
	let nearLookupCount = 0;
	return {
		find(name, isExact = false) {
			const spelled = cleanName(name);
			const found = byName.get(foldName(spelled)) ?? [];
			const exact = found.filter(record => record.name === spelled);
			return isExact || exact.length > 0 ? exact : found;
		},
		findNear(name) {
			nearLookupCount++;
			return nearLookupCount > 1 && nearLookupCount > Math.min(maximumNearLookups, maximumComparisons / records.length)
				? []
				: nearestNames(
						cleanName(name),
						records.map(record => record.name),
					);
		},
	};
}

/** Returns a text that is equal for two names that differ only in case. */
export function foldName(name: string): string {
	return normalizeText(name).toLowerCase();
}

/** Returns a text that is equal for two names that differ only in case, spaces, `-` and `_`: one of them is probably a slip. */
export function nearIdentity(name: string): string {
	return nameIdentity(name).replaceAll(/[\s\-_]+/g, '');
}

/** Returns the records whose names are nearly this one, including the records that have it. */
export function findNearNamesakes<Record_ extends {readonly name: string}>(records: readonly Record_[], name: string): readonly Record_[] {
	const wanted = nearIdentity(name);
	return wanted === '' ? [] : records.filter(record => nearIdentity(record.name) === wanted);
}

/** Finds the names that differ only in case from another name in the list: each means only the record with exactly that spelling. */
export function findCaseVariants(names: readonly string[]): ReadonlySet<string> {
	const groups = Map.groupBy(new Set(names), name => nameIdentity(name)).values();
	return new Set([...groups].filter(({length}) => length > 1).flat());
}

/** Tells whether a word may be a glob: `*` is any text, `?` any character, `[a-z]` one of these, `[!a-z]` any other one. */
export function isGlob(word: string): boolean {
	return /[*?]|\[[^\]]+\]/.test(word);
}

/**
Returns a function that is true for the names that fit a glob, in any case. Not `path.matchesGlob`: it is for paths, so its `*` ends at a
slash and leaves out names that begin with a dot, and it takes braces for alternatives. Here a failed match goes back only to the last star,
so the time does not grow with the number of stars.
*/
export function globMatcher(glob: string): (name: string) => boolean {
	const parts = (nameIdentity(glob).match(/\[[^\]]+\]|./gsu) ?? []).map(part => toGlobPart(part));
	return name => {
		const characters = [...foldName(name)];
		let [at, index, lastStar, startAt] = [0, 0, -1, 0];
		while (at < characters.length) {
			const part = parts[index];
			if (part === '*') {
				lastStar = index++;
				startAt = at;
			} else if (part?.(characters[at]!)) {
				at++;
				index++;
			} else if (lastStar === -1) {
				return false;
			} else {
				index = lastStar + 1;
				at = ++startAt;
			}
		}

		return parts.slice(index).every(part => part === '*');
	};
}

type GlobPart = '*' | ((character: string) => boolean);

function toGlobPart(part: string): GlobPart {
	if (part === '*') {
		return part;
	}

	const members = /^\[(?<members>[^\]]+)\]$/.exec(part)?.groups?.['members'] ?? '';
	const isNegated = /^[!^]./s.test(members);
	const ranges = members
		.slice(isNegated ? 1 : 0)
		.match(/.-.|./gsu)
		?.map(range => [...range]);
	return character =>
		ranges === undefined
			? part === '?' || part === character
			: ranges.some(range => range[0]! <= character && character <= range.at(-1)!) !== isNegated;
}

/** Nobody mistypes a longer word, and names from a service may be far longer. */
const maximumLength = 100;

const maximumEdits = 2;

/**
Returns the word that was probably meant; all words are in lower case.

@param isRisky - true for a word that would do more than the person may have asked for: it is suggested only for a single wrong letter.
*/
export function nearestWord(typed: string, words: readonly string[], isRisky: (word: string) => boolean = () => false): string | undefined {
	return sortByDistance(fold(typed), words, isRisky)[0];
}

/** Returns the words that are spelled nearly like the wanted word, which is folded, the nearest first. */
function sortByDistance(wanted: string, words: readonly string[], isRisky: (word: string) => boolean): readonly string[] {
	if (wanted.length > maximumLength) {
		return [];
	}

	return words
		.map(word => {
			const folded = fold(word);
			const limit = Math.min(isRisky(word) ? 1 : maximumEdits, editsAllowed(wanted, folded));
			const isNear = Math.abs(folded.length - wanted.length) <= limit;
			return {word, limit, distance: isNear ? editDistance(wanted, folded, limit) : Infinity};
		})
		.filter(({distance, limit}) => distance <= limit)
		.toSorted((first, second) => first.distance - second.distance)
		.map(({word}) => word);
}

/** The number of letters that may be wrong: one in three, and no more than two. */
const editsAllowed = (first: string, second: string): number =>
	Math.min(maximumEdits, Math.floor(Math.max(first.length, second.length) / 3));

/**
Returns the Damerau-Levenshtein distance: letters added, missing, replaced or transposed. It stops, with Infinity, where it is above the
limit.
*/
function editDistance(first: string, second: string, limit: number): number {
	let beforeLast: number[] = [];
	let last = Array.from({length: second.length + 1}, (_, index) => index);
	for (let row = 1; row <= first.length; row++) {
		const current = [row];
		for (let column = 1; column <= second.length; column++) {
			const isSame = first[row - 1] === second[column - 1];
			const isExchanged = row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
			current.push(
				Math.min(
					last[column]! + 1,
					current[column - 1]! + 1,
					last[column - 1]! + (isSame ? 0 : 1),
					isExchanged ? beforeLast[column - 2]! + 1 : Infinity,
				),
			);
		}

		if (Math.min(...current, ...last) > limit) {
			return Infinity;
		}

		beforeLast = last;
		last = current;
	}

	return last.at(-1)!;
}

const maximumNames = 3;

/** Returns the names that an unknown name may mean, three at most: names with nearly its spelling, then names that contain it. */
export function nearestNames(typed: string, names: readonly string[]): readonly string[] {
	const wanted = fold(typed);
	const byKey = new Map(names.map(name => [fold(name), name]));
	const keys = [...byKey.keys()];
	const longer = wanted.length > 1 ? keys.filter(key => key.includes(wanted)) : [];
	return [...new Set([...sortByDistance(wanted, keys, () => false), ...longer])].slice(0, maximumNames).map(key => byKey.get(key)!);
}

/** Returns a question for the names that may be meant; `undefined` if there are none. */
export function didYouMean(names: readonly string[]): string | undefined {
	return names.length === 0 ? undefined : `Did you mean: ${names.join(', ')}`;
}

const maximumCandidates = 8;

/** Returns the candidates for a name, with their ids, for a sentence. */
export function listCandidates(candidates: ReadonlyArray<{readonly id: number; readonly name: string}>): string {
	const shown = candidates.slice(0, maximumCandidates).map(({id, name}) => `${id} (${name})`);
	const left = candidates.length - shown.length;
	return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}
