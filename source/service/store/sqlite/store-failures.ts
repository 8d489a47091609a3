import {findNoRoom} from '../../../platform/disk-room.ts';
import {databaseFiles} from '../../data-folder.ts';
import {
	damaged,
	noRoomFor,
	StoreBusyError,
	unreachable,
} from '../store-errors.ts';
import {
	isCutShort,
	isDatabaseBusy,
	resultCode,
	resultCodes,
} from './result-codes.ts';

/** What the store says in place of an error of SQLite's; anything else stays as it is. */
export const toStoreError = (error: unknown, file: string): unknown => {
	if (isDatabaseBusy(error)) {
		return new StoreBusyError('The database is in use by another program.', {cause: error});
	}

	if (isCutShort(error)) {
		return damaged(file, error);
	}

	switch (resultCode(error)) {
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
};
