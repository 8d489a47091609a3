import sea from 'node:sea';

/** True in the one executable (`source/build/build-executable.ts`), which has the files of the program as assets, not on the disk. */
export const isExecutable: boolean = sea.isSea();

/** The asset that the executable and its threads start with (`source/build/executable-start.ts`). */
export const startAsset = 'start.cjs';
