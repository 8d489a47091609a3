import {structuredPatch, type StructuredPatchHunk} from 'diff';

export function splitLines(text: string): readonly string[] {
	return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

const noNewline = String.raw`\ No newline at end of file`;

/**
Returns the hunks of a unified diff, with three lines of context.

@param maximumEdits - texts that differ in more lines become one whole in place of the other: looking for common lines would take too long.
*/
export function hunksOf(before: string, after: string, maximumEdits: number): readonly StructuredPatchHunk[] {
	return before === '' || after === ''
		? before === after
			? []
			: [replacement(before, after)]
		: (structuredPatch('', '', before, after, undefined, undefined, {context: 3, maxEditLength: maximumEdits})?.hunks ?? [
				replacement(before, after),
			]);
}

/** A hunk with one text in place of the other. */
function replacement(before: string, after: string): StructuredPatchHunk {
	const [oldLines, newLines] = [splitLines(before).length, splitLines(after).length];
	return {
		oldStart: oldLines === 0 ? 0 : 1,
		oldLines,
		newStart: newLines === 0 ? 0 : 1,
		newLines,
		lines: [...markedLines('-', before), ...markedLines('+', after)],
	};
}

const markedLines = (mark: '-' | '+', text: string): readonly string[] => [
	...splitLines(text).map(line => mark + line),
	...(text === '' || text.endsWith('\n') ? [] : [noNewline]),
];

/** Returns the header line of a hunk. */
export function hunkTitle({oldStart, oldLines, newStart, newLines}: StructuredPatchHunk): string {
	return `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`;
}

const rangeText = (start: number, count: number): string => (count === 1 ? String(start) : `${start},${count}`);
