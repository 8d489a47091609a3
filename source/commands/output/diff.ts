import {Buffer} from 'node:buffer';
import type {FileChange} from '../../bundle/compare-files.ts';
import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import {revealText} from '../../interface/clean-text.ts';
import {withoutFailing} from '../../interface/errors.ts';
import type {OutputStream} from '../../platform/standard-streams.ts';
import {textDiff, type DiffLine} from '../../state/text-diff.ts';
import {isForPerson, paint, type Context, type PrintTone} from '../context.ts';

/** Larger texts are not compared line by line. */
const maximumBytes = 1024 * 1024;

/**
Returns the lines of a unified diff in git's format, for `patch -p1` and `git apply`: exactly the lines of the files, each to be followed by
a line feed. They are not safe for a terminal.
*/
export function unifiedDiff(
	changes: readonly FileChange[],
	before: readonly PackageFile[],
	after: readonly PackageFile[],
): readonly DiffLine[] {
	const [oldFiles, newFiles] = [before, after].map(files => new Map(files.map(file => [file.path, file]))) as [
		Map<string, PackageFile>,
		Map<string, PackageFile>,
	];
	return changes.flatMap(change => fileLines(change, oldFiles.get(change.path), newFiles.get(change.path)));
}

function fileLines({path, change}: FileChange, before: PackageFile | undefined, after: PackageFile | undefined): readonly DiffLine[] {
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

	// An empty file that was added or removed has no hunk, and so no file names.
	return [...head, ...textDiff(names, oldText, newText)];
}

/** Returns the lines of a text file; `undefined` for a binary or very large one. */
function decode(bytes: Uint8Array): string | undefined {
	if (bytes.byteLength > maximumBytes || bytes.includes(0)) {
		return undefined;
	}

	return withoutFailing(() => new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes));
}

const toneOf: Readonly<Partial<Record<DiffLine['kind'], PrintTone>>> = {
	file: 'title',
	fold: 'quiet',
	hunk: 'place',
	removed: 'removed',
	added: 'added',
};

/** Returns the lines of a difference, to be shown below its change. */
export function linesBeneath(context: Context, lines: readonly DiffLine[], output: OutputStream): readonly string[] {
	return shownLines(context, lines, output).map(line => beneath + line);
}

/** The lines for a person or a log, safe to print: a fold replaces the header of the next hunk. */
const shownLines = (context: Context, lines: readonly DiffLine[], output: OutputStream): readonly string[] =>
	lines
		.filter(({kind}, index) => kind !== 'hunk' || lines[index - 1]?.kind !== 'fold')
		.map(({kind, text}) => {
			// The lines may differ only in a carriage return at the end.
			const end = text.endsWith('\r') ? '^M' : '';
			return paint(context, toneOf[kind], revealText(text.replace(/\r$/, ''), 2000) + end, output);
		});

/**
Prints the lines as the result of a command. In a pipe they are unchanged and without folds, because a changed diff could not be applied, or
would have another meaning. If colour is forced, a program such as less shows them to a person.
*/
export function printDiff(context: Context, lines: readonly DiffLine[]): void {
	if (!isForPerson(context) && !context.options.isColorForced) {
		context.printData(
			lines
				.filter(({kind}) => kind !== 'fold')
				.map(({text}) => `${text}\n`)
				.join(''),
		);
		return;
	}

	for (const line of shownLines(context, lines, context.streams.stdout)) {
		context.print(line);
	}
}

/** Indents each line of a difference below its change. */
const beneath = ' '.repeat(4);

/** Shows the lines on standard error, which must be a terminal. */
export function noteDiff(context: Context, lines: readonly DiffLine[]): void {
	context.noteStyled(shownLines(context, lines, context.streams.stderr));
}
