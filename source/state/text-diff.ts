import {structuredPatch, type StructuredPatchHunk} from 'diff';
import {counted} from '../interface/format-count.ts';

/** A line of a diff, with what it is. */
export type DiffLine = {
	readonly kind: 'file' | 'fold' | 'hunk' | 'removed' | 'added' | 'context';
	readonly text: string;
};

/** Texts that differ in more lines are shown as one whole in place of the other: looking for what they share would take too long. */
const maximumEdits = 2000;

const splitLines = (text: string): readonly string[] => text === '' ? [] : text.replace(/\n$/, '').split('\n');

const noNewline = String.raw`\ No newline at end of file`;

const markedLines = (mark: '-' | '+', text: string): readonly string[] =>
	[...splitLines(text).map(line => mark + line), ...(text === '' || text.endsWith('\n') ? [] : [noNewline])];

/** One text in place of the other. */
const replacement = (before: string, after: string): StructuredPatchHunk => {
	const [oldLines, newLines] = [splitLines(before).length, splitLines(after).length];
	return {
		oldStart: oldLines === 0 ? 0 : 1, oldLines, newStart: newLines === 0 ? 0 : 1, newLines, lines: [...markedLines('-', before), ...markedLines('+', after)],
	};
};

const hunksOf = (before: string, after: string): readonly StructuredPatchHunk[] =>
	before === '' || after === ''
		? (before === after ? [] : [replacement(before, after)])
		: structuredPatch('', '', before, after, undefined, undefined, {context: 3, maxEditLength: maximumEdits})?.hunks ?? [replacement(before, after)];

const kinds: Readonly<Record<string, DiffLine['kind']>> = {'-': 'removed', '+': 'added'};

const rangeText = (start: number, count: number): string => count === 1 ? String(start) : `${start},${count}`;

const hunkLines = ({oldStart, oldLines, newStart, newLines, lines}: StructuredPatchHunk): readonly DiffLine[] => [
	{kind: 'hunk', text: `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`},
	...lines.map((line): DiffLine => ({kind: kinds[line[0]!] ?? 'context', text: line})),
];

/** A name with a space ends with a tab, as programs that apply diffs expect. */
const nameLine = (mark: '---' | '+++', name: string): DiffLine => ({kind: 'file', text: `${mark} ${name}${name.includes(' ') ? '\t' : ''}`});

/** One line in place of those that are left out. */
const foldOf = (count: number): readonly DiffLine[] => count > 0 ? [{kind: 'fold', text: `… ${counted(count, 'unchanged line')}`}] : [];

/** The hunks, and between, before and after them how many lines are the same. */
const foldHunks = (hunks: readonly StructuredPatchHunk[], lineCount: number): readonly DiffLine[] => {
	const ends = hunks.map(({oldStart, oldLines}) => oldStart + Math.max(oldLines, 1) - 1);
	return [...hunks.flatMap((hunk, index) => [...foldOf(hunk.oldStart - (ends[index - 1] ?? 0) - 1), ...hunkLines(hunk)]), ...foldOf(lineCount - ends.at(-1)!)];
};

/** The lines of a text that becomes another one, with the folds that a terminal shows; none if both are the same. */
export const textDiff = ([oldName, newName]: readonly [string, string], before: string, after: string): readonly DiffLine[] => {
	const hunks = hunksOf(before, after);
	return hunks.length === 0 ? [] : [nameLine('---', oldName), nameLine('+++', newName), ...foldHunks(hunks, splitLines(before).length)];
};

/** The lines of a prompt that becomes another one; line ends of a form count only where the new text has such, too. */
export const promptDiff = (name: string, before: string, after: string): readonly DiffLine[] =>
	textDiff([`a/${name}`, `b/${name}`], after.includes('\r') ? before : before.replaceAll('\r\n', '\n'), after);
