import {statSync, type Stats} from 'node:fs';
import path from 'node:path';
import {reasonOf, withoutFailing} from '../interface/errors.ts';
import {explainFileError} from '../platform/file-owner.ts';
import {isMissing} from '../platform/private-files.ts';
import {watchStamp} from '../platform/timers.ts';
import {findAuthorizedKey, parseAuthorizedKeys, type AuthorizedKeys} from './authorized-keys.ts';
import {foldersAbove, readOwnedFile} from '../platform/owned-file.ts';

/** A file may have thousands of lines. */
const maximumProblems = 20;

const none: AuthorizedKeys = {keys: [], problems: []};

type KeyRingOptions = {
	readonly file: string;
	/** Receives the problems of the file, a sentence each. */
	readonly report: (text: string) => void;
	readonly intervalMilliseconds?: number;
};

/** Returns the keys that are let in, as an `authorized_keys` file lists them now. */
export function openKeyRing({file, report, intervalMilliseconds}: KeyRingOptions) {
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
		/** `undefined` also if the line does not allow the address. */
		find(blob: Uint8Array, address: string) {
			refresh();
			return findAuthorizedKey(known, blob, address);
		},
		count: () => known.keys.length,
		profileNames: () => [...new Set(known.keys.map(({profileName}) => profileName))],
		/** Calls back whenever the file has changed (`watchStamp`). */
		watch(onChange: () => void) {
			stopWatching = watchStamp(refresh, onChange, intervalMilliseconds);
		},
		close: () => stopWatching(),
	};
}

/** Changes with the file, and with the folders that decide whether it counts. */
function stampOf(file: string): string {
	// The file may not exist yet.
	const folders = withoutFailing(() => foldersAbove(file)) ?? [path.dirname(file)];
	return [
		stateOf(file, 'ino', 'size', 'mtimeMs', 'ctimeMs', 'mode', 'uid'),
		...folders.map(folder => `${folder} ${stateOf(folder, 'ino', 'mode', 'uid')}`),
	].join('\n');
}

function stateOf(target: string, ...fields: ReadonlyArray<keyof Stats>): string {
	try {
		const found = statSync(target);
		return fields.map(field => String(found[field])).join(' ');
	} catch (error) {
		return reasonOf(error);
	}
}

function read(file: string): AuthorizedKeys {
	try {
		return parseAuthorizedKeys(readOwnedFile(file, {forbiddenMode: 0o022, maximumBytes: 256 * 1024}));
	} catch (error) {
		if (isMissing(error)) {
			return none;
		}

		const {reason, nextStep} = explainFileError(error, file);
		// No full stop behind a command, which people copy.
		const end = reason.includes('; run: ') ? '' : '.';
		return {keys: [], problems: [[`nobody is let in: ${reason}${end}`, nextStep].filter(Boolean).join(' ')]};
	}
}

export type KeyRing = ReturnType<typeof openKeyRing>;
