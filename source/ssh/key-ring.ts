import {statSync, type Stats} from 'node:fs';
import path from 'node:path';
import {reasonOf} from '../interface/errors.ts';
import {isMissing} from '../platform/private-files.ts';
import {watchStamp} from '../platform/watch-stamp.ts';
import {
	findAuthorizedKey,
	parseAuthorizedKeys,
	type AuthorizedKey,
	type AuthorizedKeys,
} from './authorized-keys.ts';
import {foldersAbove, readOwnedFile} from './owned-file.ts';

/** The keys that let somebody in, as the file says now. */
export type KeyRing = {
	/** Undefined also if the line does not allow the address. */
	readonly find: (blob: Uint8Array, address: string) => AuthorizedKey | undefined;
	readonly count: () => number;
	/** The profiles that the keys get. */
	readonly profileNames: () => readonly string[];
	/** Calls back whenever the file was changed (`watchStamp`). */
	readonly watch: (onChange: () => void) => void;
	/** Ends watching. */
	readonly close: () => void;
};

type KeyRingOptions = {
	readonly file: string;
	readonly report: (text: string) => void;
	readonly intervalMilliseconds?: number;
};

const maximumBytes = 256 * 1024;

/** A file may have thousands of lines. */
const maximumProblems = 20;

const none: AuthorizedKeys = {keys: [], problems: []};

const read = (file: string): AuthorizedKeys => {
	try {
		return parseAuthorizedKeys(readOwnedFile(file, {forbiddenMode: 0o022, maximumBytes}));
	} catch (error) {
		return isMissing(error) ? none : {keys: [], problems: [`nobody is let in: ${reasonOf(error)}.`]};
	}
};

const stateOf = (target: string, describe: (found: Stats) => readonly number[]): string => {
	try {
		return describe(statSync(target)).join(' ');
	} catch (error) {
		return reasonOf(error);
	}
};

/** Where the links of a path lead; the path itself if nothing is there. */
const foldersOf = (file: string): readonly string[] => {
	try {
		return foldersAbove(file);
	} catch {
		return [path.dirname(file)];
	}
};

/** Changes with the file and with what makes it count. */
const stampOf = (file: string): string => [
	stateOf(file, ({ino, size, mtimeMs, ctimeMs, mode, uid}) => [ino, size, mtimeMs, ctimeMs, mode, uid]),
	...foldersOf(file).map(folder => `${folder} ${stateOf(folder, ({ino, mode, uid}) => [ino, mode, uid])}`),
].join('\n');

/** Reads an `authorized_keys` file now and whenever it has changed. */
export const openKeyRing = ({file, report, intervalMilliseconds}: KeyRingOptions): KeyRing => {
	let stamp: string | undefined;
	let known = none;
	const refresh = (): string => {
		const now = stampOf(file);
		if (now === stamp) {
			return now;
		}

		stamp = now;
		known = read(file);
		for (const problem of known.problems.slice(0, maximumProblems)) {
			report(`${file}: ${problem}`);
		}

		if (known.problems.length > maximumProblems) {
			report(`${file}: ${known.problems.length - maximumProblems} more lines let nobody in.`);
		}

		return now;
	};

	refresh();
	let stopWatching: () => void = () => undefined;
	return {
		find(blob, address) {
			refresh();
			return findAuthorizedKey(known, blob, address);
		},
		count: () => known.keys.length,
		profileNames: () => [...new Set(known.keys.map(({profileName}) => profileName))],
		watch(onChange) {
			stopWatching = watchStamp(refresh, onChange, intervalMilliseconds);
		},
		close() {
			stopWatching();
		},
	};
};
