import {Buffer} from 'node:buffer';
import {structuredPatch, type StructuredPatchHunk} from 'diff';
import type {FileChange} from '../../bundle/compare-files.ts';
import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import {counted} from '../../interface/format-count.ts';
import {revealText} from '../../interface/clean-text.ts';
import type {OutputStream} from '../../platform/standard-streams.ts';
import {
	isForPerson,
	paint,
	type Context,
	type Tone,
} from '../context.ts';

/** A line of a diff, with what it is. */
export type DiffLine = {
	readonly kind: 'file' | 'fold' | 'hunk' | 'removed' | 'added' | 'context';
	readonly text: string;
};

/** Larger texts are not compared line by line. */
const maximumBytes = 1024 * 1024;

/** Texts that differ in more lines are shown as one whole in place of the other: looking for what they share would take too long. */
const maximumEdits = 2000;

/** The lines of a text file; `undefined` for a binary or very large one. */
const decode = (bytes: Uint8Array): string | undefined => {
	if (bytes.byteLength > maximumBytes || bytes.includes(0)) {
		return undefined;
	}

	try {
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
	} catch {
		return undefined;
	}
};

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

const fileLines = ({path, change}: FileChange, before: PackageFile | undefined, after: PackageFile | undefined): readonly DiffLine[] => {
	const [oldName, newName] = [`a/${path}`, `b/${path}`];
	const head: readonly DiffLine[] = [
		{kind: 'file', text: `diff --git ${oldName} ${newName}`},
		...(change === 'changed' ? [] : [{kind: 'file', text: `${change === 'added' ? 'new' : 'deleted'} file mode 100644`} as const]),
	];
	const names = [change === 'added' ? '/dev/null' : oldName, change === 'removed' ? '/dev/null' : newName] as const;
	const [oldText, newText] = [before, after].map(file => decode(file?.bytes ?? Buffer.alloc(0)));
	if (oldText === undefined || newText === undefined) {
		const isLarge = [before, after].some(file => (file?.bytes.byteLength ?? 0) > maximumBytes);
		return [...head, {kind: 'context', text: `${isLarge ? 'Large' : 'Binary'} files ${names[0]} and ${names[1]} differ`}];
	}

	// An empty file that was added or removed has no hunk, and so no names.
	return [...head, ...textDiff(names, oldText, newText)];
};

/**
The lines of a unified diff in git's format, which `patch -p1` and `git apply` take: exactly as the files have them, each to be
followed by a line feed. They are not safe for a terminal.
*/
export const unifiedDiff = (changes: readonly FileChange[], before: readonly PackageFile[], after: readonly PackageFile[]): readonly DiffLine[] => {
	const [oldFiles, newFiles] = [before, after].map(files => new Map(files.map(file => [file.path, file]))) as [Map<string, PackageFile>, Map<string, PackageFile>];
	return changes.flatMap(change => fileLines(change, oldFiles.get(change.path), newFiles.get(change.path)));
};

const toneOf: Readonly<Partial<Record<DiffLine['kind'], Tone>>> = {
	file: 'title',
	fold: 'quiet',
	hunk: 'place',
	removed: 'removed',
	added: 'added',
};

const maximumLineLength = 2000;

/** The lines for a person or a log, safe to print: a fold stands in place of the line of the hunk that follows it. */
const shownLines = (context: Context, lines: readonly DiffLine[], output: OutputStream): readonly string[] => lines
	.filter(({kind}, index) => kind !== 'hunk' || lines[index - 1]?.kind !== 'fold')
	.map(({kind, text}) => {
		// A carriage return at the end of a line may be all that differs.
		const end = text.endsWith('\r') ? '^M' : '';
		return paint(context, toneOf[kind], revealText(text.replace(/\r$/, ''), maximumLineLength) + end, output);
	});

/** The same below the change that they are of. */
export const linesBeneath = (context: Context, lines: readonly DiffLine[], output: OutputStream): readonly string[] =>
	shownLines(context, lines, output).map(line => beneath + line);

/**
Prints the lines as the result of a command. In a pipe, as they are and without folds: changed ones could not be applied, or would say
something else. Where colour is forced, a program such as less shows them to a person.
*/
export const printDiff = (context: Context, lines: readonly DiffLine[]): void => {
	if (!isForPerson(context) && !context.options.isColorForced) {
		context.printData(lines.filter(({kind}) => kind !== 'fold').map(({text}) => `${text}\n`).join(''));
		return;
	}

	for (const line of shownLines(context, lines, context.streams.stdout)) {
		context.print(line);
	}
};

/** Before each line of a difference that stands below the line of its change. */
const beneath = ' '.repeat(4);

/** Shows the lines on standard error, which must be a terminal. */
export const noteDiff = (context: Context, lines: readonly DiffLine[]): void => {
	context.noteStyled(shownLines(context, lines, context.streams.stderr));
};
