import type {StructuredPatchHunk} from 'diff';
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
