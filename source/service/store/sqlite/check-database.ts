import {statfsSync, statSync} from 'node:fs';
import path from 'node:path';
import {type DatabaseSync} from 'node:sqlite';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {SwitchboardError} from '../../../interface/errors.ts';
import {formatCount} from '../../../interface/format-count.ts';
import {findDatabaseFile} from '../../data-folder.ts';
import {
	checkMigration,
	type CheckResult,
	type Finding,
	maximumDescribed,
	note,
	problem,
} from '../check-result.ts';
import {checkRecords} from '../sql/check-records.ts';
import {createDatabase} from '../sql/create-database.ts';
import {StoreFailure} from '../store-errors.ts';
import {checkTexts} from './check-texts.ts';
import {describeLongLog} from './checkpoint.ts';
import {createSqliteDialect} from './dialect.ts';
import {readVersion, refuseForeignDatabase} from './migrate.ts';
import {migrations} from './migrations.ts';
import {toOpenError} from './open-database.ts';
import {openToRead} from './open-to-read.ts';
import {runPragma} from './run-pragma.ts';

const remedy = 'Restore it from a backup.';

/** All pages, rows and indexes. */
const checkIntegrity = async (file: string, signal: AbortSignal): Promise<readonly Finding[]> => {
	const messages = await runPragma(file, `integrity_check(${maximumDescribed})`, {signal});
	return messages.filter(message => message !== 'ok').map(message => problem('damage', `It is damaged: ${cleanText(message, 300).replace(/\.?$/, '.')} ${remedy}`));
};

/** The files of an upload are stored before their release. */
const checkReferences = (database: DatabaseSync): readonly Finding[] => {
	const counts = new Map<string, number>();
	for (const {table, parent} of database.prepare('pragma foreign_key_check').iterate()) {
		const pair = `${String(table)} ${String(parent)}`;
		counts.set(pair, (counts.get(pair) ?? 0) + 1);
	}

	return [...counts].map(([pair, count]) => {
		const [table, parent] = cleanText(pair, 100).split(' ', 2);
		return pair === 'release_files releases'
			? note('references', `It holds ${formatCount(count)} of the files of uploads that are under way or were cut off. The service removes what is left, a few minutes later.`)
			: problem('references', `In the table ${table}, ${formatCount(count)} of the rows refer to what is missing in the table ${parent}. ${remedy}`);
	});
};

/** A service needs room for its next changes, and a second time while it moves them into the file. */
const leastFreeBytes = 100 * 1024 * 1024;

/** @param freeBytes - on the disk. */
export const checkSpace = (freeBytes: number): readonly Finding[] => freeBytes < leastFreeBytes
	? [problem('space', `Its disk has only ${formatBytes(freeBytes)} free, and no change can be stored on a full disk. Make room on it.`)]
	: [];

const checkLog = (file: string): readonly Finding[] => {
	const text = describeLongLog(file);
	return text === undefined ? [] : [problem('space', text)];
};

const numberOf = (database: DatabaseSync, pragma: string): number => Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);

const describeRoom = (database: DatabaseSync, file: string, freeBytes: number): string => {
	const unused = numberOf(database, 'freelist_count') * numberOf(database, 'page_size');
	return `The file has ${formatBytes(statSync(file).size)}, of which ${formatBytes(unused)} are unused; its disk has ${formatBytes(freeBytes)} free.`;
};

const checkOpened = async (database: DatabaseSync, file: string, signal: AbortSignal): Promise<CheckResult> => {
	refuseForeignDatabase(database, file);
	// All that is read here sees one state, whatever a service writes meanwhile.
	database.exec('begin');
	const version = readVersion(database);
	const {bavail, bsize} = statfsSync(path.dirname(file));
	const findings = [
		...await checkIntegrity(file, signal),
		...checkReferences(database),
		...checkMigration(version, migrations.length),
		...checkSpace(bavail * bsize),
		...checkLog(file),
	];
	const summary = [describeRoom(database, file, bavail * bsize)];
	if (version !== migrations.length || findings.some(({kind}) => kind === 'damage')) {
		return {findings, summary};
	}

	const texts = await checkTexts(database, signal);
	const records = await checkRecords(createDatabase(createSqliteDialect({database, file, refuseMoved: () => undefined})));
	return {findings: [...findings, ...texts, ...records.findings], summary: [...records.summary, ...summary]};
};

/** Checks a database file (`checkStore`). */
export const checkDatabaseFile = async (file: string, signal: AbortSignal): Promise<CheckResult> => {
	if (statSync(file).size === 0) {
		return {findings: [problem('damage', `It is empty: it holds no home. ${remedy}`)], summary: []};
	}

	using database = openToRead(file);
	try {
		return await checkOpened(database, file, signal);
	} catch (error) {
		const known = error instanceof SwitchboardError ? error : toOpenError(error, file);
		if (known instanceof StoreFailure && known.trouble === 'damaged') {
			return {findings: [problem('damage', `It is damaged, and cannot be read to its end. ${remedy}`)], summary: []};
		}

		throw known;
	}
};

/** Checks the database of a data folder (`checkStore`). */
export const checkDatabase = async (folder: string, signal: AbortSignal): Promise<CheckResult> => checkDatabaseFile(findDatabaseFile(folder), signal);
