import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {findNoRoom} from '../../../platform/private-files.ts';
import {databaseFiles, findObstacle} from '../../data-folder.ts';
import {busy, damaged, noRoomFor, unreachable} from '../../store-errors.ts';

/** SQLite's own result codes (https://sqlite.org/rescode.html). */
const resultCodes = {busy: 5, readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26} as const;

/** A page is missing at the end of the file: an error of input and output that no full disk explains. */
const shortRead = 522;

/** The code of an error of SQLite. Extended codes hold the primary one in their low byte. */
const resultCode = (error: unknown): number | undefined =>
	error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;

/** Tells whether another process held the database for longer than we wait. */
export function isDatabaseBusy(error: unknown): boolean {
	return resultCode(error) === resultCodes.busy;
}

/** @throws an error as SQLite has it for a damaged file, if a check found one. */
export function refuseDamage(finding: unknown): void {
	if (finding !== 'ok') {
		throw Object.assign(new Error(String(finding)), {errcode: resultCodes.corrupt});
	}
}

/** Returns the store's error in place of one of SQLite's; anything else stays as it is. */
export function toStoreError(error: unknown, file: string): unknown {
	if (error instanceof Error && 'errcode' in error && error.errcode === shortRead) {
		return damaged(file, error);
	}

	switch (resultCode(error)) {
		case resultCodes.busy: {
			return busy(file, error);
		}

		case resultCodes.full: {
			return noRoomFor(file, error);
		}

		case resultCodes.readOnly: {
			return unreachable(file, error, 'It is read-only. Make the file, its folder and their disk writable.');
		}

		case resultCodes.corrupt:
		case resultCodes.notADatabase: {
			return damaged(file, error);
		}

		// SQLite knows a full disk only where a write says ENOSPC: not by EDQUOT or EFBIG, nor where the file is created or synced.
		case resultCodes.inputOutput:
		case resultCodes.cannotOpen: {
			const reason = findNoRoom(databaseFiles(file));
			return reason === undefined ? error : noRoomFor(file, reason);
		}

		default: {
			return error;
		}
	}
}

/** Returns the error for a database that cannot be opened or read. */
export function toOpenError(error: unknown, file: string): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const code = resultCode(error);
	const obstacle = code === resultCodes.readOnly || code === resultCodes.cannotOpen ? findObstacle(file) : undefined;
	const known = code === resultCodes.readOnly ? (obstacle ?? error) : toStoreError(error, file);
	return known instanceof SwitchboardError
		? known
		: (obstacle ?? new SwitchboardError('unexpected', `The database ${file} cannot be opened: ${reasonOf(known)}.`, {cause: error}));
}
