import {SwitchboardError} from '../../interface/errors.ts';
import {isDatabaseUrl} from '../../platform/secret-variables.ts';
import {isBeneath, realPlace} from '../../platform/user-folders.ts';
import {hasStore} from './open-store.ts';
import type {CheckResult} from './sql/check-records.ts';
import {type CopyCounts, type CopyDatabase, type CopyOptions, copyRecords, countRecords, refuseFilled} from './sql/copy-records.ts';
import {checkDatabase} from './sqlite/check-database.ts';
import {openSqliteSource, openSqliteTarget} from './sqlite/open-sqlite-store.ts';

export {backUpDatabase as backUp, planRestore, refuseOpenData, restoreBackup} from './sqlite/backups.ts';

/* The work of an operator on a database beside the service. Like `open-store.ts`, this file chooses the database. */

/**
Checks a database without changing it; a service may be running on it.

@throws SwitchboardError `not-found` if there is none, or if it cannot be opened at all.
*/
export async function checkStore(location: string): Promise<CheckResult> {
	return isDatabaseUrl(location) ? (await import('./postgres/open-postgres-store.ts')).checkPostgres(location) : checkDatabase(location);
}

const openSource = async (location: string): Promise<CopyDatabase> =>
	isDatabaseUrl(location) ? (await import('./postgres/open-postgres-store.ts')).openPostgresSource(location) : openSqliteSource(location);

const openTarget = async (location: string): Promise<CopyDatabase> =>
	isDatabaseUrl(location) ? (await import('./postgres/open-postgres-store.ts')).openPostgresTarget(location) : openSqliteTarget(location);

/** The files in a data folder go with it when it is moved or deleted. */
function refuseTargetWithin(from: string, to: string): void {
	if (isDatabaseUrl(from) || isDatabaseUrl(to)) {
		return;
	}

	const [source, target] = [realPlace(from), realPlace(to)];
	if (target !== source && isBeneath(source, target)) {
		const message = `${to} lies in the data folder that is to be copied. Nothing was copied.`;
		throw new SwitchboardError('usage', message, {nextStep: 'Choose a folder outside of it with --to.'});
	}
}

async function withSource(from: string, to: string, work: (source: CopyDatabase) => Promise<CopyCounts>): Promise<CopyCounts> {
	await using source = await openSource(from);
	refuseTargetWithin(from, to);
	return await work(source);
}

/**
Copies the state of the source at one moment into a target that is empty or missing, and compares it; a service may be running on the
source.

@returns how many rows each table has.
@throws SwitchboardError `conflict` if the target is not empty; otherwise if one of both cannot be used, or the copy differs. Then
the target holds nothing.
*/
export async function copyStore(from: string, to: string, options: CopyOptions): Promise<CopyCounts> {
	return withSource(from, to, async source => {
		await using target = await openTarget(to);
		return await copyRecords(source, target, options);
	});
}

/** Returns the counts that `copyStore` would return; throws the errors that it would throw, and creates no target. */
export async function planCopy(from: string, to: string, options: CopyOptions): Promise<CopyCounts> {
	return withSource(from, to, async source => {
		if (await hasStore(to)) {
			await using target = await openSource(to);
			await target.read(refuseFilled);
		}

		return countRecords(source, options);
	});
}
