import type {StructuredPatchHunk} from 'diff';
import {counted} from '../interface/format-count.ts';
import {hunksOf, hunkTitle, splitLines} from '../interface/unified-diff.ts';

/** A line of a diff, with what it is. */
export type DiffLine = {readonly kind: 'file' | 'fold' | 'hunk' | 'removed' | 'added' | 'context'; readonly text: string};

/** A tenth of a second's work at most. */
const maximumEdits = 600;

const kinds: Readonly<Record<string, DiffLine['kind']>> = {'-': 'removed', '+': 'added'};

/** Returns the lines of a text that becomes another one, with the folds that a terminal shows; none if both are the same. */
export function textDiff([oldName, newName]: readonly [string, string], before: string, after: string): readonly DiffLine[] {
	const hunks = hunksOf(before, after, maximumEdits);
	return hunks.length === 0 ? [] : [nameLine('---', oldName), nameLine('+++', newName), ...foldHunks(hunks, splitLines(before).length)];
}

/** A name with a space ends with a tab, as programs that apply diffs expect. */
const nameLine = (mark: '---' | '+++', name: string): DiffLine => ({
	kind: 'file',
	text: `${mark} ${name}${name.includes(' ') ? '\t' : ''}`,
});

/** Returns the hunks, and between, before and after them how many lines are the same. */
function foldHunks(hunks: readonly StructuredPatchHunk[], lineCount: number): readonly DiffLine[] {
	const ends = hunks.map(({oldStart, oldLines}) => oldStart + Math.max(oldLines, 1) - 1);
	return [
		...hunks.flatMap((hunk, index) => [...foldOf(hunk.oldStart - (ends[index - 1] ?? 0) - 1), ...hunkLines(hunk)]),
		...foldOf(lineCount - ends.at(-1)!),
	];
}

/** One line in place of those that are left out. */
const foldOf = (count: number): readonly DiffLine[] => (count > 0 ? [{kind: 'fold', text: `… ${counted(count, 'unchanged line')}`}] : []);

const hunkLines = (hunk: StructuredPatchHunk): readonly DiffLine[] => [
	{kind: 'hunk', text: hunkTitle(hunk)},
	...hunk.lines.map((line): DiffLine => ({kind: kinds[line[0]!] ?? 'context', text: line})),
];

/** Returns the lines of a prompt that becomes another one; line ends of a form count only where the new text has such, too. */
export function promptDiff(name: string, before: string, after: string): readonly DiffLine[] {
	return textDiff([`a/${name}`, `b/${name}`], after.includes('\r') ? before : before.replaceAll('\r\n', '\n'), after);
}
