import {Buffer} from 'node:buffer';
import type {BigIntStats} from 'node:fs';
import {lstat} from 'node:fs/promises';
import path from 'node:path';
import {tieFileName} from '../interface/ability-package/junk.ts';
import {isSameBaseAddress, publicServiceAddress} from '../interface/base-address.ts';
import {isCategory} from '../interface/categories.ts';
import {reasonOf, withoutFailing} from '../interface/errors.ts';
import {versionInUse} from '../interface/installed-lookup.ts';
import {isJsonObject, isSameJson, parseJson, stringifyJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {decodeId, rawName, type Ability} from '../interface/records.ts';
import {isMissing} from '../platform/private-files.ts';
import {unreadableText} from './file-errors.ts';
import {readListedFile} from './read-source.ts';

/*
The file by which a folder belongs to an ability. The vendor's Python client writes and reads it too; `base_address` is ours
(`docs/interface.md`, Upload). It is never sent. Only its id decides which ability is changed.
*/

/** The vendor's client writes a few lines for each release. */
const maximumBytes = 256 * 1024;

export type TieFile = {
	/** Empty if there is no file. */
	readonly fields: JsonObject;
	/** `undefined` if there is no file. */
	readonly stats: BigIntStats | undefined;
	/** Why the file is ignored, as a clause that follows its name. */
	readonly problem?: string;
};

const noFields: JsonObject = {};

/** Reads the file of a folder. Never rejects: an unusable file has a problem. */
export async function readTieFile(folder: string): Promise<TieFile> {
	const location = path.join(folder, tieFileName);
	let stats: BigIntStats | undefined;
	const unusable = (problem: string): TieFile => ({fields: noFields, stats, problem});
	try {
		stats = await lstat(location, {bigint: true});
		if (!stats.isFile()) {
			return unusable(stats.isSymbolicLink() ? 'is a symbolic link' : 'is not a regular file');
		}

		if (stats.size > maximumBytes) {
			return unusable('is far too large');
		}

		const fields = parseFields(await readListedFile({path: tieFileName, location, stats}));
		return fields === undefined ? unusable('is not a JSON object') : {fields, stats};
	} catch (error) {
		return isMissing(error)
			? {fields: noFields, stats: undefined}
			: unusable(stats === undefined ? unreadableText(error) : reasonOf(error));
	}
}

function parseFields(bytes: Uint8Array): JsonObject | undefined {
	const value = withoutFailing(() => parseJson(new TextDecoder('utf-8', {fatal: true}).decode(bytes)));
	return isJsonObject(value) ? value : undefined;
}

/** The ability that a folder belongs to, by its file. */
export type FolderTie = {
	readonly id: number;
	/** Its name when the file was written. */
	readonly name: string | undefined;
	/** False if it is an ability of another service. */
	readonly isHere: boolean;
};

/**
Returns the tie in a file; `undefined` if there is none, as for a folder that was never sent.

@param address - the service in question.
@param env - may name the service of a file without an address: the vendor's client knows no other.
*/
export function tieOf({fields}: TieFile, address: string, env: Readonly<Record<string, string | undefined>>): FolderTie | undefined {
	const id = decodeId(fields['capability_id']);
	const {base_address: written = null} = fields;
	const isHere =
		written === null
			? [publicServiceAddress, env['OPENHOME_API_BASE'] ?? ''].some(each => isSameBaseAddress(each, address))
			: typeof written === 'string' && (written === address || isSameBaseAddress(written, address));
	return id === undefined ? undefined : {id, name: textOf(fields['name']), isHere};
}

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns the defaults for a new ability from the file; its other fields do not count for one. */
export function tieDefaults({fields}: TieFile) {
	const {trigger_words: phrases} = fields;
	const category = textOf(fields['category']);
	return {
		description: textOf(fields['description']),
		category: isCategory(category) ? category : undefined,
		triggerPhrases: Array.isArray(phrases) ? phrases.filter(phrase => typeof phrase === 'string') : undefined,
	};
}

export type TiedRelease = {
	readonly releaseId?: number | undefined;
	readonly version?: string | undefined;
	/** The installed record, whose phrases count. */
	readonly fields?: JsonObject;
};

/**
Returns the file that ties a folder to an ability.

@returns `undefined` if the file is right already. Unknown fields and the order of all fields are kept.
*/
export function tieBytes({fields}: TieFile, address: string, ability: Ability, release: TiedRelease = {}): Buffer | undefined {
	const shown = (name: string): JsonValue => release.fields?.[name] ?? ability.raw[name] ?? null;
	const values: JsonObject = {
		capability_id: String(ability.id),
		name: rawName(ability),
		category: shown('category'),
		trigger_words: shown('trigger_words'),
		description: shown('description'),
		version: release.version ?? versionInUse(ability) ?? null,
		release_id: release.releaseId ?? null,
		base_address: address,
	};
	// The service may not show everything, and digits may have been written as a number.
	const isKept = (name: string, value: JsonValue): boolean =>
		Object.hasOwn(fields, name) &&
		(value === null || (typeof fields[name] === 'number' && typeof value === 'string' && String(fields[name]) === value));
	const known = Object.fromEntries(Object.entries(values).filter(([name, value]) => !isKept(name, value)));
	const merged = {...fields, ...known};
	return isSameJson(merged, fields) ? undefined : Buffer.from(`${stringifyJson(merged)}\n`);
}
