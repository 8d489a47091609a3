import {useMemo} from 'react';
import cliTruncate from 'cli-truncate';
import {useTypedLine} from '../keys/typed-line.ts';
import {fold, toDisplayText} from '../../interface/match.ts';
import {typingEnd} from '../../words/signs.ts';
import type {Key} from '../../terminal/key.ts';
import {useRememberedState, type TextScroll} from './text-scroll.ts';

/** A part of a line that matches a search, in UTF-16 units. */
type FoundRange = {readonly start: number; readonly end: number};

/** A match: a part of one line or, if the text was broken in it, of several. */
type FoundMatch = ReadonlyArray<FoundRange & {readonly line: number}>;

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
Finds a text in these lines, ignoring case and accents. A space in it also matches the end of a line and the indentation of the next one,
because lines are mostly broken at a space.
*/
export function findText(lines: readonly string[], wanted: string): readonly FoundMatch[] {
	const words = fold(wanted)
		.trim()
		.split(/\s+/)
		.filter(word => word !== '');
	if (words.length === 0) {
		return [];
	}

	const whole = lines.join('\n');
	const {
		text: {folded},
		offsets,
	} = toDisplayText(whole);
	const ends = [...offsets, whole.length];
	const pattern = new RegExp(words.map(word => escaped(word)).join(String.raw`\s+`), 'g');
	const starts: number[] = [];
	let lineStart = 0;
	for (const line of lines) {
		starts.push(lineStart);
		lineStart += line.length + 1;
	}

	let line = 0;
	return [...folded.matchAll(pattern)].map(({index, 0: text}) => {
		const start = ends[index]!;
		const end = ends[index + text.length]!;
		while (line + 1 < starts.length && starts[line + 1]! <= start) {
			line++;
		}

		const parts = [];
		for (let part = line; part < lines.length && starts[part]! < end; part++) {
			const from = Math.max(start, starts[part]!) - starts[part]!;
			// The indentation of a line does not belong to the match.
			const indentation = part === line ? from : lines[part]!.length - lines[part]!.trimStart().length;
			parts.push({line: part, start: indentation, end: Math.min(end - starts[part]!, lines[part]!.length)});
		}

		return parts;
	});
}

/** A part of a line that matches the search. The keys for the next and the previous match start from the current one. */
export type FoundPart = FoundRange & {readonly isCurrent: boolean};

type State = {
	readonly text: string;
	readonly isTyping: boolean;
	readonly index: number;
	/** The first visible line when the search began: the first match from there on becomes the current one. */
	readonly from: number;
};

const noSearch: State = {text: '', isTyping: false, index: 0, from: 0};

const noParts: readonly FoundPart[] = [];

/** Searches the lines of a scrolling text, and scrolls the current match into view. It takes the keys while the search text is typed. */
export function useTextSearch(lines: readonly string[], {top, show}: Pick<TextScroll, 'top' | 'show'>) {
	const [{text, isTyping, index: wanted, from}, change] = useRememberedState('search', noSearch);
	const matches = useMemo(() => findText(lines, text), [lines, text]);
	// The text may have become shorter.
	const index = Math.min(wanted, Math.max(0, matches.length - 1));
	const parts = useMemo(
		() =>
			Map.groupBy(
				matches.flatMap((match, number) => match.map(part => ({...part, isCurrent: number === index}))),
				({line}) => line,
			),
		[matches, index],
	);

	const type = (typed: string): void => {
		const found = findText(lines, typed);
		const next = Math.max(
			0,
			found.findIndex(match => match[0]!.line >= from),
		);
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

	const end = (): void => change(() => noSearch);

	useTypedLine(
		{
			read: () => text,
			type,
			keep: () => change(before => ({...before, isTyping: false})),
			leave: end,
			move(move) {
				if (move === 'down' || move === 'up') {
					step(move === 'down' ? 1 : -1);
				}
			},
		},
		isTyping,
	);
	const isActive = isTyping || text !== '';
	const count = text.trim() === '' ? '' : matches.length === 0 ? ' no match' : ` ${index + 1} of ${matches.length}`;
	const currentLine = lines[matches[index]?.[0]!.line ?? -1]?.trim() ?? '';
	return {
		isTyping,
		/** True while there is a search text, or one is being typed. */
		isActive,
		/** Returns such as “/lamp 2 of 5”; a long search text is cut at its start. Empty without a search. */
		statusWithin: (width: number): string =>
			isActive ? cliTruncate(`/${text}${isTyping ? typingEnd : ''}`, width - count.length, {position: 'start'}) + count : '',
		/** The status for a screen reader, with the line of the current match. */
		spokenStatus: isActive ? `/${text}${count}${currentLine === '' ? '' : `: ${currentLine}`}` : '',
		partsIn: (line: number) => parts.get(line) ?? noParts,
		/** Handles Escape, which ends a search. Returns false for any other key, and without a search. */
		takeKey({name}: Key): boolean {
			const isEnded = isActive && name === 'escape';
			if (isEnded) {
				end();
			}

			return isEnded;
		},
		/**
		Carries out an action of the key table on the search; returns false for any other action, and for the next match without a search.
		*/
		act(action: string | undefined): boolean {
			if (action === 'filter') {
				change(before => ({...before, isTyping: true, from: top}));
			} else if (isActive && (action === 'next-match' || action === 'previous-match')) {
				step(action === 'next-match' ? 1 : -1);
			} else {
				return false;
			}

			return true;
		},
	};
}

export type TextSearch = ReturnType<typeof useTextSearch>;
