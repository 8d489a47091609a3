import {SwitchboardError, throwIfAny} from '../../interface/errors.ts';

/** The versions of a schema: the earliest that this program brings forward, and its own. A database that is still empty has version 0. */
export type SchemaVersions = {readonly earliest: number; readonly present: number};

/** The last commit whose program reads all earlier versions. */
const bridgeCommit = '826f082f1d4f';

/**
Returns why this program can do nothing with a database of this version; `undefined` if it can.

@param database - the subject of a sentence.
@returns `unexpected` for a version that is newer than this program, `refused` for one that is too old for it.
*/
export function findVersionFault(database: string, version: number, versions: SchemaVersions): SwitchboardError | undefined {
	if (version > versions.present) {
		const message = `${database} was written by a newer Switchboard: it has version ${version}, this program supports up to ${versions.present}.`;
		return new SwitchboardError('unexpected', message, {nextStep: 'Update Switchboard.'});
	}

	const nextStep = `Bring it forward first with the program of the commit ${bridgeCommit}, which reads all earlier versions: switchboard migrate`;
	const isTooOld = version > 0 && version < versions.earliest;
	return isTooOld ? new SwitchboardError('refused', describeEarlier(database, version, versions), {nextStep}) : undefined;
}

const describeEarlier = (database: string, version: number, {present}: SchemaVersions): string =>
	`${database} was written by an earlier Switchboard: it has version ${version}, this program uses version ${present}.`;

/**
Refuses another version of the schema. Only `serve` and `migrate` change it: a service of the earlier version may be running on it, which
could not go on.

@param advice - how an earlier version, which is refused too, is brought up to date; missing where that is about to be done.
@throws SwitchboardError as `findVersionFault` returns it, or `refused`
*/
export function refuseVersion(database: string, version: number, versions: SchemaVersions, advice?: string): void {
	const subject = `The database ${database}`;
	throwIfAny(findVersionFault(subject, version, versions));

	if (advice !== undefined && version > 0 && version < versions.present) {
		throw new SwitchboardError('refused', describeEarlier(subject, version, versions), {nextStep: advice});
	}
}

/** The result of a migration; `from` and `to` are equal if there was nothing to do, and 0 if the database holds nothing of ours yet. */
export type Migration = {
	readonly from: number;
	readonly to: number;
	/** The copy of a SQLite file from before. */
	readonly copy?: {readonly file: string; readonly isNew: boolean};
};

export type MigrationOptions = {
	/** True to look and check only. */
	readonly isDryRun?: boolean;
	/** Ends it before the schema is changed. */
	readonly signal?: AbortSignal;
	/** Called with the part of the copy that is done, from 0 to 1. */
	readonly onProgress?: (part: number) => void;
};

/** Returns a migration in one line. */
export function describeMigration({from, to, copy}: Migration, database: string, isDryRun = false): string {
	return from === to
		? `The database in ${database} has version ${to}: it is up to date.`
		: `${isDryRun ? 'Would bring' : 'Brought'} the database in ${database} from version ${from} to ${to}.${copy === undefined ? '' : describeCopy(copy, isDryRun)}`;
}

function describeCopy({file, isNew}: NonNullable<Migration['copy']>, isDryRun: boolean): string {
	const place = isDryRun ? `A copy from before would go to ${file}` : `A copy from before is in ${file}`;
	return ` ${isNew ? place : `The copy from before that is already there is kept: ${file}`}`;
}
