import {Buffer} from 'node:buffer';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {cleanText} from '../interface/clean-text.ts';
import {counted} from '../interface/format-count.ts';

export type FileChange = {readonly path: string; readonly change: 'added' | 'removed' | 'changed'};

const byPath = (first: FileChange, second: FileChange): number => (first.path < second.path ? -1 : 1);

/** Returns the files that differ, byte by byte, in the order of their paths: `added` are only in `after`, `removed` only in `before`. */
export function compareFiles(before: readonly PackageFile[], after: readonly PackageFile[]): readonly FileChange[] {
	const bytesBefore = new Map(before.map(({path, bytes}) => [path, bytes]));
	const pathsAfter = new Set(after.map(({path}) => path));
	const removed = before.filter(({path}) => !pathsAfter.has(path)).map(({path}): FileChange => ({path, change: 'removed'}));
	const others = after.flatMap(({path, bytes}): readonly FileChange[] => {
		const earlier = bytesBefore.get(path);
		if (earlier === undefined) {
			return [{path, change: 'added'}];
		}

		return Buffer.compare(earlier, bytes) === 0 ? [] : [{path, change: 'changed'}];
	});
	return [...removed, ...others].toSorted(byPath);
}

/** Returns the names of differing files, such as “main.py, bell.txt and 2 more files”. */
export function namedChanges(files: readonly FileChange[]): string {
	const named = files.slice(0, 3).map(({path}) => cleanText(path, 100));
	const left = files.length - named.length;
	return `${named.join(', ')}${left > 0 ? ` and ${counted(left, 'more file')}` : ''}`;
}
