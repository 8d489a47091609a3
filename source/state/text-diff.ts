import {diffWordsWithSpace, type StructuredPatchHunk} from 'diff';
import {counted} from '../interface/format-count.ts';
import {hunksOf, hunkTitle, splitLines} from '../interface/unified-diff.ts';

export type DiffLine = {readonly kind: 'file' | 'fold' | 'hunk' | 'removed' | 'added' | 'context'; readonly text: string};

/** A tenth of a second's work at most. */
const maximumEdits = 600;

const kinds: Readonly<Record<string, DiffLine['kind']>> = {'-': 'removed', '+': 'added'};

/** Returns the lines of the difference between two texts, with the folds that a terminal shows; none if the texts are equal. */
export function textDiff([oldName, newName]: readonly [string, string], before: string, after: string): readonly DiffLine[] {
	const hunks = hunksOf(before, after, maximumEdits);
	return hunks.length === 0 ? [] : [nameLine('---', oldName), nameLine('+++', newName), ...foldHunks(hunks, splitLines(before).length)];
}

/** A name with a space ends with a tab, as programs that apply diffs expect. */
const nameLine = (mark: '---' | '+++', name: string): DiffLine => ({
	kind: 'file',
	text: `${mark} ${name}${name.includes(' ') ? '\t' : ''}`,
});

/** Returns the hunks and, between, before and after them, the number of equal lines. */
function foldHunks(hunks: readonly StructuredPatchHunk[], lineCount: number): readonly DiffLine[] {
	const ends = hunks.map(({oldStart, oldLines}) => oldStart + Math.max(oldLines, 1) - 1);
	return [
		...hunks.flatMap((hunk, index) => [...foldOf(hunk.oldStart - (ends[index - 1] ?? 0) - 1), ...hunkLines(hunk)]),
		...foldOf(lineCount - ends.at(-1)!),
	];
}

/** A line that replaces the omitted lines. */
const foldOf = (count: number): readonly DiffLine[] => (count > 0 ? [{kind: 'fold', text: `… ${counted(count, 'unchanged line')}`}] : []);

const hunkLines = (hunk: StructuredPatchHunk): readonly DiffLine[] => [
	{kind: 'hunk', text: hunkTitle(hunk)},
	...hunk.lines.map((line): DiffLine => ({kind: kinds[line[0]!] ?? 'context', text: line})),
];

/** Returns the lines of the difference between two prompts; line ends of a form count only if the new text has them too. */
export function promptDiff(name: string, before: string, after: string): readonly DiffLine[] {
	return textDiff([`a/${name}`, `b/${name}`], after.includes('\r') ? before : before.replaceAll('\r\n', '\n'), after);
}

/** A part of a line, in UTF-16 units. */
type TextRange = {readonly start: number; readonly end: number};

/** Words of longer lines are not compared: that takes too long. */
const maximumLineLength = 4000;

/** A line that has changed more than this is another line. */
const mostChanged = 0.6;

/** Returns the changed words of each line that replaces another one, and of the replaced one; the sign of a line counts for the positions. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly TextRange[]> {
	const changed = new Map<DiffLine, readonly TextRange[]>();
	const endOf = (kind: DiffLine['kind'], start: number): number => {
		const length = lines.slice(start).findIndex(line => line.kind !== kind);
		return length === -1 ? lines.length : start + length;
	};

	for (let start = 0; start < lines.length; ) {
		const middle = endOf('removed', start);
		const end = endOf('added', middle);
		// Only lines that were replaced one by one have a counterpart.
		if (middle - start === end - middle) {
			for (let index = start; index < middle; index++) {
				const [before, after] = [lines[index]!, lines[middle + index - start]!];
				const [old, present] = rangesOf(before.text, after.text);
				changed.set(before, old).set(after, present);
			}
		}

		start = Math.max(end, start + 1);
	}

	return changed;
}

/** Returns the ranges of the words that differ in two lines with their signs; none if the lines have little in common. */
function rangesOf(before: string, after: string): readonly [TextRange[], TextRange[]] {
	const ranges: [TextRange[], TextRange[]] = [[], []];
	if (before.length > maximumLineLength || after.length > maximumLineLength) {
		return ranges;
	}

	const ends = [1, 1];
	for (const {value, added, removed} of diffWordsWithSpace(before.slice(1), after.slice(1))) {
		for (const side of [0, 1] as const) {
			if (side === 0 ? added : removed) {
				continue;
			}

			const start = ends[side]!;
			ends[side] = start + value.length;
			if (side === 0 ? removed : added) {
				ranges[side].push({start, end: start + value.length});
			}
		}
	}

	const lengthOf = (side: TextRange[]): number => side.reduce((sum, {start, end}) => sum + end - start, 0);
	const share = (lengthOf(ranges[0]) + lengthOf(ranges[1])) / Math.max(1, before.length + after.length - 2);
	return share > mostChanged ? [[], []] : [wholeWords(before, ranges[0]), wholeWords(after, ranges[1])];
}

/** Joins ranges that only a space separates, and leaves out spaces at their ends. */
function wholeWords(line: string, ranges: readonly TextRange[]): TextRange[] {
	const joined: TextRange[] = [];
	for (const {start, end} of ranges) {
		const last = joined.at(-1);
		const isNext = last !== undefined && line.slice(last.end, start).trim() === '';
		joined.splice(isNext ? -1 : joined.length, 1, {start: isNext ? last.start : start, end});
	}

	return joined
		.map(({start, end}) => ({start, end: start + line.slice(start, end).trimEnd().length}))
		.filter(({start, end}) => start < end);
}
