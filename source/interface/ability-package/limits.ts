const mebibyte = 1024 * 1024;

/**
What one ability may come to. `INTERFACE.md` shows no limits; these are far above what an ability of source files and
some sounds needs, and low enough that a hostile upload costs neither memory nor time.
*/
export const abilityLimits = {
	/** All files together, unpacked. */
	totalBytes: 32 * mebibyte,
	/** One file, unpacked. */
	fileBytes: 16 * mebibyte,
	/** The zip as it travels: all files stored, and some room for their names. */
	zipBytes: 34 * mebibyte,
	fileCount: 2000,
	/** UTF-16 units from the top-level folder to the end of the file's name; what every file system takes. */
	pathLength: 240,
	/** Folders within folders. */
	depth: 12,
	/** How many times its packed size a file may unpack to, once it is larger than `ratioFreeBytes`. */
	inflationRatio: 200,
	ratioFreeBytes: mebibyte,
	imageBytes: 5 * mebibyte,
} as const;

/** A size for people, such as `512 bytes`, `14 KB` or `3.2 MB`; a KB is 1024 bytes. */
export const formatBytes = (bytes: number): string => {
	if (bytes < 1024) {
		return bytes === 1 ? '1 byte' : `${bytes} bytes`;
	}

	const [amount, unit] = bytes < mebibyte ? [bytes / 1024, 'KB'] : [bytes / mebibyte, 'MB'];
	return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`;
};
