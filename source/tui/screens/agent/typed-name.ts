import {cleanText} from '../../../interface/clean-text.ts';

const segmenter = new Intl.Segmenter();

type Character = {readonly original: string; readonly shown: string};

/** A name as its field shows it: whole, on one line, and safe for a terminal. */
export const shownName = (original: string): string => cleanText(original, Math.max(1, original.length));

/** The characters of a name as the service returned it, each as the screen shows it; none if they cannot be told apart. */
const charactersOf = (original: string): readonly Character[] => {
	const characters = [...segmenter.segment(original)].map(({segment}) => ({
		original: segment,
		shown: segment === ' ' ? segment : cleanText(segment),
	}));
	return characters.map(({shown}) => shown).join('') === shownName(original) ? characters : [];
};

/**
The name to save after the shown name was edited. An unchanged start or end stays as the service returned it: an emoji
keeps its joiners and selectors, which are not sent to the terminal.
*/
export const typedName = (original: string, typed: string): string => {
	const characters = [...charactersOf(original)];
	let rest = typed.trim();
	let start = '';
	let end = '';
	while (characters.length > 0 && rest.startsWith(characters[0]!.shown)) {
		rest = rest.slice(characters[0]!.shown.length);
		start += characters.shift()!.original;
	}

	while (characters.length > 0 && rest.endsWith(characters.at(-1)!.shown)) {
		rest = rest.slice(0, rest.length - characters.at(-1)!.shown.length);
		end = characters.pop()!.original + end;
	}

	return start + rest + end;
};
