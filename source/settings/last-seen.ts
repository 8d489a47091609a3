import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {
	existsSync,
	readdirSync,
	rmSync,
	statSync,
} from 'node:fs';
import path from 'node:path';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import type {Resource} from '../interface/records.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readPrivateFile, writePrivateFile} from '../platform/private-files.ts';
import {localProfileName} from './profile.ts';
import type {Target} from './target.ts';

const version = 1;

/** About 20,000 records. A longer list is not stored: reading it back would cost more than it saves. */
const maximumBytes = 12 * 1024 * 1024;

/** A list this old belongs to an account that is no longer used. */
const maximumAgeMilliseconds = 30 * 24 * 60 * 60 * 1000;

type LastSeenList = {
	/** The records as the service returned them, to be decoded and cleaned like any answer. */
	readonly records: readonly JsonObject[];
	/** Milliseconds since the epoch. */
	readonly fetchedAt: number;
};

export type LastSeen = {
	/** `undefined` if there is none, or it cannot be trusted: it is half-written, of another service or from the future. */
	readonly load: (resource: Resource) => LastSeenList | undefined;
	/** Stores a list in place of an earlier one. If that fails, none is stored: it is only a convenience. */
	readonly save: (resource: Resource, list: LastSeenList) => void;
	/** Stores a list only if an earlier one still exists: a forgotten list stays forgotten. */
	readonly update: (resource: Resource, list: LastSeenList) => void;
	/** Removes every list of this account. */
	readonly forget: () => void;
};

type LastSeenOptions = {
	/** In its normal form, or `local` for the bundled service, whose address changes with each start. */
	readonly baseAddress: string;
	/** Only a truncated hash of it is stored, in the name of the file. */
	readonly apiKey: string;
	readonly cacheFolder?: string | undefined;
};

const decode = (text: string, baseAddress: string): LastSeenList | undefined => {
	const value: unknown = JSON.parse(text);
	if (!isJsonObject(value) || value['version'] !== version || value['baseAddress'] !== baseAddress) {
		return undefined;
	}

	const {records, fetchedAt} = value;
	const isTimeValid = typeof fetchedAt === 'number' && fetchedAt > 0 && fetchedAt <= Date.now();
	return isTimeValid && Array.isArray(records)
		? {records: records.filter(record => isJsonObject(record)), fetchedAt}
		: undefined;
};

const removeOldFiles = (folder: string): void => {
	for (const name of readdirSync(folder)) {
		const file = path.join(folder, name);
		if (Date.now() - statSync(file).mtimeMs > maximumAgeMilliseconds) {
			rmSync(file, {force: true});
		}
	}
};

const withoutFailing = <T>(action: () => T): T | undefined => {
	try {
		return action();
	} catch {
		return undefined;
	}
};

/** The lists last seen with one account of one service, one file per resource in the cache folder. */
export const openLastSeen = ({baseAddress, apiKey, cacheFolder}: LastSeenOptions): LastSeen => {
	const folder = path.join(cacheFolder ?? userFolders().cache, 'last-seen');
	const account = createHash('sha256').update(`${baseAddress}\n${apiKey}`).digest('hex').slice(0, 24);
	const fileOf = (resource: Resource): string => path.join(folder, `${account}-${resource}.json`);

	const save: LastSeen['save'] = (resource, {records, fetchedAt}) => {
		withoutFailing(() => {
			const text = JSON.stringify({
				version,
				baseAddress,
				fetchedAt,
				records,
			});
			if (Buffer.byteLength(text) > maximumBytes) {
				rmSync(fileOf(resource), {force: true});
				return;
			}

			writePrivateFile(fileOf(resource), text);
			removeOldFiles(folder);
		});
	};

	return {
		load: resource => withoutFailing(() => {
			const text = readPrivateFile(fileOf(resource), maximumBytes);
			return text === undefined ? undefined : decode(text, baseAddress);
		}),
		save,
		update(resource, list) {
			if (existsSync(fileOf(resource))) {
				save(resource, list);
			}
		},
		forget() {
			for (const resource of ['agents', 'abilities', 'installed'] as const) {
				withoutFailing(() => {
					rmSync(fileOf(resource), {force: true});
				});
			}
		},
	};
};

/** The lists last seen with a target. The bundled service is one account: its key and its address change with each start. */
export const openLastSeenOf = (target: Target, {cacheFolder}: {readonly cacheFolder?: string | undefined} = {}): LastSeen => target.kind === 'local'
	? openLastSeen({baseAddress: localProfileName, apiKey: localProfileName, cacheFolder})
	: openLastSeen({baseAddress: target.baseAddress, apiKey: target.apiKey, cacheFolder});
