import {lstatSync, renameSync} from 'node:fs';
import {appendPrivateFile} from './private-files.ts';

const maximumBytes = 1024 * 1024;

/**
Appends to a log, which only its owner can read. Above 1 MiB it is renamed first, in the place of the one before it, so that the
two are all there is.

@throws the error of the file system, or one that says that the file is a link.
*/
export const appendToRotatingFile = ([file, earlier]: readonly [file: string, earlier: string], text: string): void => {
	if ((lstatSync(file, {throwIfNoEntry: false})?.size ?? 0) > maximumBytes) {
		renameSync(file, earlier);
	}

	appendPrivateFile(file, text);
};
