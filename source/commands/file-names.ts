import {Buffer} from 'node:buffer';
import {cleanText, normalizeText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {nameIdentity} from '../interface/name-index.ts';
import type {Named} from '../interface/records.ts';

/** Refuses an empty name, such as a script's unset variable, which would mean the current folder. */
export function refuseEmptyFolder(folder: string | undefined, consequence = ' Nothing was written.'): void {
	if (folder === '') {
		throw new SwitchboardError('usage', `The name of the folder is empty.${consequence}`, {nextStep: 'For the current folder, use: .'});
	}
}

/** Returns file names by the ids of records, unique in any case: with the id if two would be equal. */
export function fileNames(records: readonly Named[]): ReadonlyMap<number, string> {
	const names = new Map<number, string>();
	const taken = new Set<string>();
	for (const {id, name} of records.toSorted((a, b) => a.id - b.id)) {
		let candidate = safeName(name) || String(id);
		while (taken.has(nameIdentity(candidate))) {
			candidate += `-${id}`;
		}

		taken.add(nameIdentity(candidate));
		names.set(id, candidate);
	}

	return names;
}

/** Names of devices on Windows. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Fits the 255 bytes of most file systems, with an id and an ending. */
const maximumNameBytes = 180;

/** Returns a name that every system accepts for a file; empty if no character of the name is usable. */
function safeName(name: string): string {
	const safe = normalizeText(cleanText(name))
		.replaceAll(/[^\p{Letter}\p{Mark}\p{Number} \-._]+/gu, '-')
		.replaceAll(/^[ \-.]+|[ .]+$/g, '');
	const cut = [...safe];
	while (Buffer.byteLength(cut.join('')) > maximumNameBytes) {
		cut.pop();
	}

	const kept = cut.join('').trim();
	return deviceName.test(kept.split('.', 1)[0]!) ? '' : kept;
}
