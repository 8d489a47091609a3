import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {findNoRoom} from '../../../platform/private-files.ts';
import {databaseFiles, findObstacle} from '../../data-folder.ts';
import {busy, damaged, noRoomFor, unreachable} from '../../store-errors.ts';

/** Result codes of SQLite (https://sqlite.org/rescode.html). Extended codes hold the primary one in their low byte. */
const codes = {busy: 5, readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26, shortRead: 522} as const;

/** The store's error for each code. */
const failures: Readonly<Partial<Record<number, (file: string, error: unknown) => unknown>>> = {
	[codes.busy]: busy,
	[codes.readOnly]: (file, error) => unreachable(file, error, 'It is read-only. Make the file, its folder and their disk writable.'),
	[codes.inputOutput]: explainWithDisk,
	[codes.corrupt]: damaged,
	[codes.full]: noRoomFor,
	[codes.cannotOpen]: explainWithDisk,
	[codes.notADatabase]: damaged,
	// A page is missing at the end of the file: an error of input and output that no full disk explains.
	[codes.shortRead]: damaged,
};

/** SQLite knows a full disk only where a write says ENOSPC: not by EDQUOT or EFBIG, nor where the file is created or synced. */
function explainWithDisk(file: string, error: unknown): unknown {
	const reason = findNoRoom(databaseFiles(file));
	return reason === undefined ? error : noRoomFor(file, reason);
}

/** Returns the store's error in place of one of SQLite's; anything else stays as it is. */
export function toStoreError(error: unknown, file: string): unknown {
	const code = codeOf(error);
	return (failures[code] ?? failures[code % 256])?.(file, error) ?? error;
}

const codeOf = (error: unknown): number => (error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0);

const isCode = (error: unknown, ...wanted: readonly number[]): boolean => wanted.includes(codeOf(error) % 256);

/** Tells whether another process held the database for longer than we wait. */
export function isDatabaseBusy(error: unknown): boolean {
	return isCode(error, codes.busy);
}

/** @throws an error as SQLite has it for a damaged file, if a check found one. */
export function refuseDamage(finding: unknown): void {
	if (finding !== 'ok') {
		throw Object.assign(new Error(String(finding)), {errcode: codes.corrupt});
	}
}

/** Returns the error for a database that cannot be opened or read. */
export function toOpenError(error: unknown, file: string): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const obstacle = isCode(error, codes.readOnly, codes.cannotOpen) ? findObstacle(file) : undefined;
	const known = isCode(error, codes.readOnly) ? (obstacle ?? error) : toStoreError(error, file);
	return known instanceof SwitchboardError
		? known
		: (obstacle ?? new SwitchboardError('unexpected', `The database ${file} cannot be opened: ${reasonOf(known)}.`, {cause: error}));
}
