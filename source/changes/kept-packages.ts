import {createHash} from 'node:crypto';
import {readdirSync, renameSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {readPrivateBytes, writePrivateFile} from '../platform/private-files.ts';

/* The packages of deleted abilities, each in a file beside the log of its account. They are moved and removed with it. */

/** For all packages of an account. The oldest make room for new ones. */
export const maximumKeptBytes = 64 * 1024 * 1024;

export const keptDays = 30;

const maximumAgeMilliseconds = keptDays * 24 * 60 * 60 * 1000;

/** The names come from the log, which may hold anything. */
const namePattern = /^[\da-f]{24}$/;

const fileOf = (log: string, name: string): string => `${log}.${name}.zip`;

const packagesOf = (log: string): readonly string[] =>
	readdirSync(path.dirname(log)).filter(name => name.startsWith(`${path.basename(log)}.`) && name.endsWith('.zip'));

/**
Keeps a package, and removes the oldest ones that have no room beside it.

@param log - the file of the log.
@returns its name.
@throws an error of the file system.
*/
export function keepPackage(log: string, zip: Uint8Array): string {
	const name = createHash('sha256').update(zip).digest('hex').slice(0, 24);
	writePrivateFile(fileOf(log, name), zip);
	const kept = packagesOf(log).map(each => {
		const file = path.join(path.dirname(log), each);
		const {size, mtimeMs} = statSync(file);
		return {file, size, mtimeMs};
	});
	let bytes = 0;
	for (const {file, size, mtimeMs} of kept.toSorted((first, second) => second.mtimeMs - first.mtimeMs)) {
		bytes += size;
		if (bytes > maximumKeptBytes || Date.now() - mtimeMs > maximumAgeMilliseconds) {
			rmSync(file, {force: true});
		}
	}

	return name;
}

/** Returns a package; `undefined` if it is no longer kept. Throws an error of the file system. */
export function readPackage(log: string, name: string): Uint8Array | undefined {
	return namePattern.test(name) ? readPrivateBytes(fileOf(log, name), maximumKeptBytes) : undefined;
}

/** Moves the packages to another log. */
export function movePackages(log: string, newLog: string): void {
	for (const name of packagesOf(log)) {
		renameSync(path.join(path.dirname(log), name), path.join(path.dirname(log), name.replace(path.basename(log), path.basename(newLog))));
	}
}
