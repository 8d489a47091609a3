import {cleanText} from '../clean-text.ts';
import {SwitchboardError} from '../errors.ts';
import {formatCount} from '../format-count.ts';

const mebibyte = 1024 * 1024;

/**
The limits of one ability. No source names any (`docs/interface.md`, Upload). These limits are far above the needs of an ability with source
files and some sounds, and low enough that a hostile upload costs little memory and time.
*/
export const abilityLimits = {
	/** All files together, unpacked. */
	totalBytes: 32 * mebibyte,
	/** One file, unpacked. */
	fileBytes: 16 * mebibyte,
	/** The zip: all files uncompressed, with some room for their names. */
	zipBytes: 34 * mebibyte,
	fileCount: 2000,
	/** UTF-16 units from the top-level folder to the end of the file's name; every file system accepts this. */
	pathLength: 240,
	depth: 12,
	/** How many times its compressed size a file may be, if it is larger than `ratioFreeBytes`. */
	inflationRatio: 200,
	ratioFreeBytes: mebibyte,
	imageBytes: 5 * mebibyte,
	/** UTF-16 units. */
	descriptionLength: 20_000,
	triggerPhrases: 100,
} as const;

/** Returns a size for people, such as `512 bytes`, `14 KB`, `3.2 MB` or `77 GB`; a KB is 1024 bytes. */
export function formatBytes(bytes: number): string {
	if (bytes < 1024) {
		return bytes === 1 ? '1 byte' : `${bytes} bytes`;
	}

	const gibibyte = 1024 * mebibyte;
	const [size, unit] = bytes < mebibyte ? [1024, 'KB'] : bytes < gibibyte ? [mebibyte, 'MB'] : [gibibyte, 'GB'];
	const amount = bytes / size;
	return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`;
}

/** Returns a size over a limit: exact to the byte if it would otherwise read like the limit. */
export function formatOversize(bytes: number, limit: number): string {
	return formatBytes(bytes) === formatBytes(limit) ? `${formatCount(bytes)} bytes` : formatBytes(bytes);
}

/** The field of the upload that contains the package (`docs/interface.md`, Upload). */
const field = 'zip_file';

/** Returns the error for a package that breaks a rule. */
export function refusal(message: string, nextStep?: string, cause?: unknown): SwitchboardError {
	return new SwitchboardError('refused', message, {field, nextStep, cause});
}

/** Returns the error for a package that is over a limit. */
export function oversize(message: string, nextStep = 'Leave out files that the ability does not need to run.'): SwitchboardError {
	return new SwitchboardError('too-large', message, {field, nextStep});
}

/** Returns a path from outside for a message: quoted, short and safe for a terminal. */
export function quotePath(path: string): string {
	return `“${cleanText(path, 120)}”`;
}
