import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {readdirSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {withoutFailing} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {resources, withoutLinkedKeys, type Resource} from '../interface/records.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readPrivateFile, writePrivateFile, writePrivateFileSoon} from '../platform/private-files.ts';
import {parseObject} from '../platform/kept-file.ts';
import {localProfileName} from './profile.ts';
import type {Target} from './target.ts';

const version = 1;

/** About 20,000 records. A longer list is not stored: reading it back would cost more than it saves. */
const maximumBytes = 12 * 1024 * 1024;

/** A list this old belongs to an account that is no longer used. */
const maximumAgeMilliseconds = 30 * 24 * 60 * 60 * 1000;

type Drawing = {readonly drawing: string; readonly frame: string};

/** The screen as it was shown last, for the next start to show at once. The drawing is for an empty screen. */
export type LastScreen = Drawing & {
	/** The day on which it names no day. */
	readonly day: string;
	readonly dated: Drawing;
	/** Names the conditions that the drawing depends on: it is valid only for a run with the same ones. */
	readonly identity: string;
	/** The position of the screens, as the terminal UI stores it. */
	readonly view: JsonObject;
};

type LastSeenOptions = {
	/** In its normal form, or `local` for the bundled service, whose address changes with each start. */
	readonly baseAddress: string;
	/** Only a truncated hash of it is stored, in the name of the file. */
	readonly apiKey: string;
	readonly cacheFolder?: string | undefined;
};

type LastSeenList = {
	/** The records as the service returned them, to be decoded and cleaned like any answer. */
	readonly records: readonly JsonObject[];
	/** Milliseconds since the epoch. */
	readonly fetchedAt: number;
	/** The service's ETag for exactly these records. */
	readonly entityTag?: string | undefined;
};

/** The screen as it was shown last, as far as it is known: at least the position of the screens. */
type ScreenBefore = Pick<LastScreen, 'view'> & {readonly shown?: Drawing};

/** Returns the lists last seen with one account of one service, one file per resource in the cache folder. */
export function openLastSeen({baseAddress, apiKey, cacheFolder}: LastSeenOptions) {
	const folder = path.join(cacheFolder ?? userFolders().cache, 'last-seen');
	const account = createHash('sha256').update(`${baseAddress}\n${apiKey}`).digest('hex').slice(0, 24);
	const fileOf = (resource: Resource | 'screen'): string => path.join(folder, `${account}-${resource}.json`);

	/** Tells whether a list was stored since; empty if there is none. */
	const listStamps = (): readonly string[] =>
		resources.map(resource => {
			const found = statSync(fileOf(resource), {throwIfNoEntry: false});
			return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
		});

	const isForgotten = (): boolean => (withoutFailing(listStamps) ?? []).join('') === '';

	return {
		/** Names the service and the key. */
		account,
		/** `undefined` if there is none, or it cannot be trusted: because it is half-written, from another service or from the future. */
		load: (resource: Resource) => withoutFailing(() => decode(readPrivateFile(fileOf(resource), maximumBytes), baseAddress)),
		/** Stores a list in place of an earlier one. If that fails, none is stored: it is only a convenience. */
		save(resource: Resource, {records, fetchedAt, entityTag}: LastSeenList): void {
			withoutFailing(() => {
				const stored = records.map(record => withoutLinkedKeys(record));
				// Otherwise the service might answer that the list is unchanged.
				const isWhole = stored.every((record, index) => record === records[index]);
				const text = JSON.stringify({version, baseAddress, fetchedAt, entityTag: isWhole ? entityTag : undefined, records: stored});
				if (Buffer.byteLength(text) > maximumBytes) {
					rmSync(fileOf(resource), {force: true});
					return;
				}

				writePrivateFile(fileOf(resource), text);
				removeOldFiles(folder);
			});
		},
		/** True if no list is stored, as after signing out in this process or another one. */
		isForgotten,
		/** The screen before this run; without a drawing if that is for another identity, or a list was stored since. */
		loadScreen: (identity: string): ScreenBefore | undefined =>
			withoutFailing(() => {
				const value = parseObject(readPrivateFile(fileOf('screen'), 1024 * 1024));
				if (!isJsonObject(value?.['view'])) {
					return undefined;
				}

				const isCurrent = value['identity'] === identity && isDeepStrictEqual(value['lists'], listStamps());
				const shown = isCurrent ? toDrawing(value) : undefined;
				return {view: value['view'], ...(shown !== undefined && {shown})};
			}),
		/** Stores the screen in place of an earlier one, unless the lists were forgotten. If that fails, none is stored. */
		async saveScreen(screen: LastScreen): Promise<void> {
			try {
				if (!isForgotten()) {
					await writePrivateFileSoon(fileOf('screen'), JSON.stringify({...screen, lists: listStamps()}));
				}
			} catch {}
		},
		removeScreen: (): void => withoutFailing(() => rmSync(fileOf('screen'), {force: true})),
		/** Removes every list of this account, the screen, and the log for undo. */
		forget(): void {
			withoutFailing(() => {
				const names = readdirSync(folder).filter(name => name.startsWith(`${account}-`));
				for (const name of names) {
					rmSync(path.join(folder, name), {force: true});
				}
			});
		},
	};
}

function decode(text: string | undefined, baseAddress: string): LastSeenList | undefined {
	const value = parseObject(text);
	if (value?.['version'] !== version || value['baseAddress'] !== baseAddress) {
		return undefined;
	}

	const {records, fetchedAt, entityTag} = value;
	const isTimeValid = typeof fetchedAt === 'number' && fetchedAt > 0 && fetchedAt <= Date.now();
	return isTimeValid && Array.isArray(records)
		? {records: records.filter(record => isJsonObject(record)), fetchedAt, ...(typeof entityTag === 'string' && {entityTag})}
		: undefined;
}

function removeOldFiles(folder: string): void {
	for (const name of readdirSync(folder)) {
		const file = path.join(folder, name);
		if (Date.now() - statSync(file).mtimeMs > maximumAgeMilliseconds) {
			rmSync(file, {force: true});
		}
	}
}

/** Returns the screen as it is shown today. */
function toDrawing(value: JsonObject): Drawing | undefined {
	const {day, dated} = value;
	if (!isDrawn(value) || !isJsonObject(dated) || !isDrawn(dated)) {
		return undefined;
	}

	const {drawing, frame} = day === new Date().toDateString() ? value : dated;
	return {drawing, frame};
}

const isDrawn = (value: JsonObject): value is JsonObject & Drawing =>
	typeof value['drawing'] === 'string' && isDrawing(value['drawing']) && typeof value['frame'] === 'string';

/** A drawing moves the cursor, sets styles, erases and hides the cursor; a file with any other sequence is not ours. */
const isDrawing = (text: string): boolean => /^(?:\P{Control}|\r\n?|\u{1B}\[[\d;]*[A-DGHJKm]|\u{1B}\[\?25l)*$/u.test(text);

export type LastSeen = ReturnType<typeof openLastSeen>;

/** Returns the lists last seen with a target. The bundled service is one account: its key and its address change with each start. */
export function openLastSeenOf(target: Target, {cacheFolder}: {readonly cacheFolder?: string | undefined} = {}): LastSeen {
	return target.kind === 'local'
		? openLastSeen({baseAddress: localProfileName, apiKey: localProfileName, cacheFolder})
		: openLastSeen({baseAddress: target.baseAddress, apiKey: target.apiKey, cacheFolder});
}
