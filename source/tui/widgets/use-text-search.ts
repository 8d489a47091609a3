import {useMemo} from 'react';
import cliTruncate from 'cli-truncate';
import {editedLine} from '../state/edit-line.ts';
import {type Key} from '../terminal/key.ts';
import {findText, type FoundRange} from './find-text.ts';
import {useOwnedState} from './use-owned-state.ts';
import {type TextScroll} from './use-text-scroll.ts';

/** A part of a line that fits what is searched for; the current one is where the keys for the next and the one before go on. */
export type FoundPart = FoundRange & {readonly isCurrent: boolean};

export type TextSearch = {
	/** True while keys type what is searched for. */
	readonly isTyping: boolean;
	/** True while something is searched for. */
	readonly isActive: boolean;
	/** Such as “/lamp 2 of 5”, where it is long without its start; empty where nothing is searched for. */
	statusWithin(width: number): string;
	/** The same as it is read out: with the line of the current match. */
	readonly spokenStatus: string;
	/** What fits in a line of the text. */
	partsIn(line: number): readonly FoundPart[];
	/** Gives a key to the search: what is typed, Enter and Escape; false for a key that is not the search's now. */
	takeKey(key: Key): boolean;
	/** The same of pasted text. */
	takePaste(text: string): boolean;
	/** Carries out an action of the key table on the search; false for one that is not the search's. */
	act(action: string | undefined): boolean;
};

type State = {
	readonly text: string;
	readonly isTyping: boolean;
	/** The current match, among all. */
	readonly index: number;
	/** The first line that was on the screen when the search began: what is typed is found from there on. */
	readonly from: number;
};

const noSearch: State = {
	text: '', isTyping: false, index: 0, from: 0,
};

const noParts: readonly FoundPart[] = [];

/** Searches the lines of a text that scrolls: the current match is brought onto the screen. */
export const useTextSearch = (lines: readonly string[], {top, show}: Pick<TextScroll, 'top' | 'show'>): TextSearch => {
	const [{text, isTyping, index: wanted, from}, change] = useOwnedState('search', noSearch);
	const matches = useMemo(() => findText(lines, text), [lines, text]);
	// The text may be a shorter one by now.
	const index = Math.min(wanted, Math.max(0, matches.length - 1));
	const parts = useMemo(() => {
		const byLine = new Map<number, readonly FoundPart[]>();
		for (const [number, match] of matches.entries()) {
			for (const {line, start, end} of match) {
				byLine.set(line, [...byLine.get(line) ?? [], {start, end, isCurrent: number === index}]);
			}
		}

		return byLine;
	}, [matches, index]);

	const type = (typed: string): void => {
		const found = findText(lines, typed);
		const next = Math.max(0, found.findIndex(match => match[0]!.line >= from));
		change(before => ({...before, text: typed, index: next}));
		show(found[next]?.[0]!.line ?? from);
	};

	const step = (by: 1 | -1): void => {
		if (matches.length === 0) {
			return;
		}

		const next = (index + by + matches.length) % matches.length;
		change(before => ({...before, index: next}));
		show(matches[next]![0]!.line);
	};

	const takeTyped = (key: Key): boolean => {
		if (key.name === 'enter') {
			change(before => ({...before, isTyping: false}));
			return true;
		}

		if (key.name === 'backspace' && text === '') {
			change(() => noSearch);
			return true;
		}

		const typed = editedLine(text, key);
		if (typed !== undefined) {
			type(typed);
		}

		return typed !== undefined;
	};

	const isActive = isTyping || text !== '';
	const count = text.trim() === '' ? '' : (matches.length === 0 ? ' no match' : ` ${index + 1} of ${matches.length}`);
	const currentLine = lines[matches[index]?.[0]!.line ?? -1]?.trim() ?? '';
	return {
		isTyping,
		isActive,
		statusWithin: width => isActive ? cliTruncate(`/${text}${isTyping ? '_' : ''}`, width - count.length, {position: 'start'}) + count : '',
		spokenStatus: isActive ? `/${text}${count}${currentLine === '' ? '' : `: ${currentLine}`}` : '',
		partsIn: line => parts.get(line) ?? noParts,
		takeKey(key) {
			if (key.name === 'escape' && isActive) {
				change(() => noSearch);
				return true;
			}

			return isTyping && takeTyped(key);
		},
		takePaste(pasted) {
			if (isTyping) {
				type(text + pasted.replaceAll('\n', ' '));
			}

			return isTyping;
		},
		act(action) {
			switch (action) {
				case 'filter': {
					change(before => ({...before, isTyping: true, from: top}));
					return true;
				}

				case 'next-match':
				case 'previous-match': {
					step(action === 'next-match' ? 1 : -1);
					return true;
				}

				default: {
					return false;
				}
			}
		},
	};
};
