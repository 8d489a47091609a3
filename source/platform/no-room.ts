/** No space, no disk quota, and larger than a file may become here (`ulimit -f`). */
const noRoomCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** True for an error of the file system that says that something cannot be written for want of room. */
export const isNoRoom = (error: unknown): error is Error => error instanceof Error && 'code' in error && noRoomCodes.has(error.code);
