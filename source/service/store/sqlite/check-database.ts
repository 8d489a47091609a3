import {isUtf8} from 'node:buffer';
import {statfsSync, statSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {formatCount} from '../../../interface/format-count.ts';
import {findDatabaseFile} from '../../data-folder.ts';
import {checkRecords, type CheckResult, checkVersion, type Finding, maximumDescribed, note, problem} from '../sql/check-records.ts';
import {createDatabase} from '../sql/database.ts';
import {isTrouble} from '../../store-errors.ts';
import {describeLongLog} from './disk-use.ts';
import {createSqliteDialect} from './engine.ts';
import {toOpenError} from './errors.ts';
import {openToRead, readPragma} from './open-database.ts';
import {readVersion, refuseForeignDatabase, versions} from './schema.ts';

const remedy = 'Restore it from a backup.';

/** A service needs room for its next changes, and a second time while it moves them into the file. */
const leastFreeBytes = 100 * 1024 * 1024;

/** @param freeBytes - on the disk. */
export function checkSpace(freeBytes: number): readonly Finding[] {
	const message = `Its disk has only ${formatBytes(freeBytes)} free, and no change can be stored on a full disk. Make room on it.`;
	return freeBytes < leastFreeBytes ? [problem('space', message)] : [];
}

/** Checks the database of a data folder (`checkStore`). */
export async function checkDatabase(folder: string): Promise<CheckResult> {
	return checkDatabaseFile(findDatabaseFile(folder));
}

/** Checks a database file (`checkStore`). */
export async function checkDatabaseFile(file: string): Promise<CheckResult> {
	if (statSync(file).size === 0) {
		return {findings: [problem('damage', `It is empty. ${remedy}`)], summary: []};
	}

	using database = openToRead(file);
	try {
		return await checkOpened(database, file);
	} catch (error) {
		const known = toOpenError(error, file);
		if (isTrouble(known, 'damaged')) {
			return {findings: [problem('damage', `It is damaged, and cannot be read to its end. ${remedy}`)], summary: []};
		}

		throw known;
	}
}

async function checkOpened(database: DatabaseSync, file: string): Promise<CheckResult> {
	refuseForeignDatabase(database, file);
	// All that is read here sees one state, whatever a service writes meanwhile.
	database.exec('begin');
	const version = readVersion(database);
	const longLog = describeLongLog(file);
	const {bavail, bsize} = statfsSync(path.dirname(file));
	const findings = [
		...checkIntegrity(database),
		...checkReferences(database),
		...checkVersion(version, versions),
		...checkSpace(bavail * bsize),
		...(longLog === undefined ? [] : [problem('space', longLog)]),
	];
	const summary = [describeRoom(database, file, bavail * bsize)];
	if (version !== versions.present || findings.some(({kind}) => kind === 'damage')) {
		return {findings, summary};
	}

	const records = await checkRecords(createDatabase(createSqliteDialect({database, file, refuseMoved: () => undefined})));
	return {findings: [...findings, ...checkTexts(database), ...records.findings], summary: [...records.summary, ...summary]};
}

/** Returns all pages, rows and indexes. */
function checkIntegrity(database: DatabaseSync): readonly Finding[] {
	const messages = database
		.prepare(`pragma integrity_check(${maximumDescribed})`)
		.all()
		.map(row => String(row['integrity_check']));
	return messages
		.filter(message => message !== 'ok')
		.map(message => problem('damage', `It is damaged: ${cleanText(message, 300).replace(/\.?$/, '.')} ${remedy}`));
}

/** The files of an upload are stored before their release. */
function checkReferences(database: DatabaseSync): readonly Finding[] {
	const counts = new Map<string, number>();
	for (const {table, parent} of database.prepare('pragma foreign_key_check').iterate()) {
		const pair = `${String(table)} ${String(parent)}`;
		counts.set(pair, (counts.get(pair) ?? 0) + 1);
	}

	return [...counts].map(([pair, count]) => {
		const [table, parent] = cleanText(pair, 100).split(' ', 2);
		const uploads = `It holds ${formatCount(count)} of the files of uploads that are under way or were cut off. The service removes what is left, a few minutes later.`;
		const missing = `In the table ${table}, ${formatCount(count)} of the rows refer to what is missing in the table ${parent}. ${remedy}`;
		return pair === 'release_files releases' ? note('references', uploads) : problem('references', missing);
	});
}

function describeRoom(database: DatabaseSync, file: string, freeBytes: number): string {
	const unused = Number(readPragma(database, 'freelist_count')) * Number(readPragma(database, 'page_size'));
	return `The file has ${formatBytes(statSync(file).size)} (${formatBytes(unused)} unused); its disk has ${formatBytes(freeBytes)} free.`;
}

/** Returns texts that are not UTF-8, which SQLite itself stores and returns as they are. */
function checkTexts(database: DatabaseSync): readonly Finding[] {
	database.function('is_damaged', text => Number(text instanceof Uint8Array && !isUtf8(text)));
	const columns = database
		.prepare(`
		select t.name as of, c.name, printf('select count(*) as count from "%w" where is_damaged(cast("%w" as blob))', t.name, c.name) as query
		from pragma_table_list t, pragma_table_xinfo(t.name) c
		where t.schema = 'main' and t.type = 'table' and t.name not glob 'sqlite_*' and upper(c.type) = 'TEXT'
	`)
		.all();
	return columns.flatMap(({of, name, query}) => {
		const {count} = database.prepare(String(query)).get()!;
		const place = `In the table ${cleanText(String(of), 60)}, ${formatCount(Number(count))} of the texts of ${cleanText(String(name), 60)}`;
		return count === 0 ? [] : [problem('damage', `${place} are damaged: not UTF-8. ${remedy}`)];
	});
}
