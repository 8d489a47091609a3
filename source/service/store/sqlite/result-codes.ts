/** SQLite's own result codes (https://sqlite.org/rescode.html). */
export const resultCodes = {
	busy: 5,
	readOnly: 8,
	inputOutput: 10,
	corrupt: 11,
	full: 13,
	cannotOpen: 14,
	notADatabase: 26,
} as const;

/** The code of an error of SQLite. Extended codes hold the primary one in their low byte. */
export const resultCode = (error: unknown): number | undefined =>
	error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;

/** True if a page is missing at the end of the file: an error of input and output that no full disk explains. */
export const isCutShort = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 522;

/** True if another process held the database for longer than we wait. */
export const isDatabaseBusy = (error: unknown): boolean => resultCode(error) === resultCodes.busy;
