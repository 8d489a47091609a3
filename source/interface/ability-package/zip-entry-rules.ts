/* eslint-disable no-bitwise -- a zip packs several facts into one number */
import {type Entry} from 'yauzl';
import {abilityLimits} from './limits.ts';

const stored = 0;
const deflated = 8;

/** The high half of the external attributes is the Unix mode (APPNOTE.TXT 4.4.15; Info-ZIP's `unix/unix.c`). */
const fileTypeOf = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0o17_0000;
const noType = 0;
const folderType = 0o04_0000;
const plainFileType = 0o10_0000;
const linkType = 0o12_0000;

const hasStrongEncryption = (entry: Entry): boolean => (entry.generalPurposeBitFlag & 0x40) !== 0;

/**
What is wrong with an entry of a zip, judging by its record alone, as a clause that follows its name; `undefined` if it
is valid.
*/
export const zipEntryProblem = (entry: Entry, isFolder: boolean): string | undefined => {
	if (entry.isEncrypted() || hasStrongEncryption(entry)) {
		return 'is encrypted';
	}

	const type = fileTypeOf(entry);
	if (type === linkType) {
		return 'is a symbolic link';
	}

	if (type !== noType && type !== (isFolder ? folderType : plainFileType)) {
		return 'is neither a plain file nor a folder';
	}

	if (isFolder && entry.uncompressedSize !== 0) {
		return 'is a folder with content';
	}

	return entry.compressionMethod === stored || entry.compressionMethod === deflated
		? undefined
		: `uses an unsupported compression method (${entry.compressionMethod})`;
};

/** The same for an entry over a limit. */
export const inflationProblem = ({uncompressedSize, compressedSize}: Entry): string | undefined =>
	uncompressedSize > abilityLimits.ratioFreeBytes && uncompressedSize > compressedSize * abilityLimits.inflationRatio
		? `would unpack to more than ${abilityLimits.inflationRatio} times its compressed size`
		: undefined;
