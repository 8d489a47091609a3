import {Buffer} from 'node:buffer';
import {
	type Entry,
	fromBufferPromise,
	getFileNameLowLevel,
	type ZipFile,
} from 'yauzl';
import {forbiddenReason, isJunk} from './junk.ts';
import {abilityLimits} from './limits.ts';
import {pathProblem, pathIdentity} from './paths.ts';
import {oversize, quotePath, refusal} from './refusals.ts';
import {zipEntryProblem, inflationProblem} from './zip-entry-rules.ts';

const packAgain = 'Pack the ability again, from plain files.';

/** A file in a zip, not yet unpacked. */
export type ZipEntry = {
	readonly path: string;
	/** Bytes, unpacked, according to the zip. */
	readonly size: number;
	readonly entry: Entry;
	/** Where its local header begins and its bytes end in the zip. */
	readonly start: number;
	readonly end: number;
};

/** @param folders - by their identities. */
const refuseFilesAsFolders = (folders: ReadonlyMap<string, string>, files: ReadonlySet<string>): void => {
	for (const [identity, folder] of folders) {
		if (files.has(identity)) {
			throw refusal(`${quotePath(folder)} is both a file and a folder.`, 'Rename one of the two.');
		}
	}
};

const locate = async (zip: ZipFile, entry: Entry, path: string): Promise<ZipEntry> => {
	const header = await zip.readLocalFileHeaderPromise(entry);
	// A file has two names in a zip. If they differ, two programs unpack two different files.
	if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod) {
		throw refusal(`The zip contradicts itself about ${quotePath(path)}.`, packAgain);
	}

	return {
		path,
		size: entry.uncompressedSize,
		entry,
		start: entry.relativeOffsetOfLocalHeader,
		end: header.fileDataStart + entry.compressedSize,
	};
};

/** Overlapping files could make a small zip unpack to a huge amount of data. */
const refuseOverlaps = (entries: readonly ZipEntry[]): void => {
	let reached = 0;
	for (const {path, start, end} of entries.toSorted((first, second) => first.start - second.start)) {
		if (start < reached) {
			throw refusal(`${quotePath(path)} overlaps another file in the zip.`, packAgain);
		}

		reached = end;
	}
};

/** Each record of the list of files begins with this (APPNOTE.TXT 4.3.12). */
const listRecordSignature = Buffer.from('504b0102', 'hex');

/** If the list is too short, some programs see fewer files in the zip than others. */
const refuseUnlistedEntries = (zip: ZipFile, bytes: Buffer): void => {
	const end = Number(zip.readEntryCursor);
	if (bytes.subarray(end, end + 4).equals(listRecordSignature)) {
		throw refusal('The zip contains more files than it lists.', packAgain);
	}
};

/** In front of the bytes of each file (APPNOTE.TXT 4.3.7), and where they were written as a stream, after them (4.3.9). */
const localHeaderSignature = 0x04_03_4B_50;
const descriptorSignature = 0x08_07_4B_50;

const readNumber = (bytes: Buffer, at: number): number | undefined => at + 4 <= bytes.length ? bytes.readUInt32LE(at) : undefined;

/** A size that needs 64 bits stands elsewhere. */
const isSame = (found: number | undefined, listed: number): boolean => found === listed || found === 0xFF_FF_FF_FF;

/**
Refuses a zip whose list is of another moment than its files: what stands beside a file contradicts the list, or a file is not in it.
Programs that write a stream leave checksum and sizes for after the file, some of them without a signature.

@param starts - of all files that are listed.
*/
const refuseForeignList = (bytes: Buffer, entries: readonly ZipEntry[], starts: ReadonlySet<number>): void => {
	for (const {path, start, end, entry: {crc32, compressedSize, uncompressedSize}} of entries) {
		const hasDescriptor = readNumber(bytes, end) === descriptorSignature;
		// eslint-disable-next-line no-bitwise -- One bit says that checksum and sizes follow.
		const isStreamed = (bytes.readUInt16LE(start + 6) & 0x08) !== 0;
		const isRight = isStreamed
			? !hasDescriptor || (readNumber(bytes, end + 4) === crc32 && isSame(readNumber(bytes, end + 8), compressedSize))
			: readNumber(bytes, start + 14) === crc32 && isSame(readNumber(bytes, start + 18), compressedSize) && isSame(readNumber(bytes, start + 22), uncompressedSize);
		if (!isRight) {
			throw refusal(`The zip contradicts itself about ${quotePath(path)}.`, packAgain);
		}

		const nextStarts = hasDescriptor ? [end + 16, end + 24] : [end];
		if (nextStarts.some(next => readNumber(bytes, next) === localHeaderSignature && !starts.has(next))) {
			throw refusal('The zip contains more files than it lists.', packAgain);
		}
	}
};

type OpenZip = {
	readonly zip: ZipFile;
	/** The files, without those left out, in the order of the zip. */
	readonly entries: readonly ZipEntry[];
	readonly leftOut: readonly string[];
};

/**
Reads and checks the list of files of a zip, without unpacking any. Junk (`junk.ts`) is left out without a check, unless no
package may hold it: someone packed that by mistake, and should know.

@throws SwitchboardError `refused` or `too-large`, or an error of the zip reader if the zip is damaged.
*/
export const openZip = async (bytes: Buffer): Promise<OpenZip> => {
	const zip = await fromBufferPromise(bytes, {decodeStrings: false});
	// Folders and files that are left out count too, hence the margin.
	if (zip.entryCount > abilityLimits.fileCount * 10) {
		throw oversize(`The zip lists ${zip.entryCount} files; an ability may have at most ${abilityLimits.fileCount}.`);
	}

	const entries: ZipEntry[] = [];
	const leftOut: string[] = [];
	// Identities are found while the list is read, which leaves the thread to others after every entry.
	const files = new Set<string>();
	const folders = new Map<string, string>();
	const starts = new Set<number>();
	for await (const entry of zip.eachEntry()) {
		// Not by the reader's option, which would turn backslashes into folders and stop at the first bad name.
		const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
		const isFolder = name.endsWith('/');
		starts.add(entry.relativeOffsetOfLocalHeader);
		const path = isFolder ? name.slice(0, -1) : name;
		const reason = forbiddenReason(path);
		if (reason !== undefined) {
			throw refusal(`${quotePath(path)} ${reason}.`, 'Pack the ability again without it.');
		}

		if (isJunk(path)) {
			leftOut.push(name);
			continue;
		}

		// Folders have no bytes, but their names follow the same rules.
		const pathBroken = pathProblem(path);
		if (pathBroken !== undefined) {
			throw refusal(pathBroken, 'Rename it.');
		}

		const problem = zipEntryProblem(entry, isFolder);
		if (problem !== undefined) {
			throw refusal(`${quotePath(path)} ${problem}.`, packAgain);
		}

		const inflation = inflationProblem(entry);
		if (inflation !== undefined) {
			throw oversize(`${quotePath(path)} ${inflation}.`, packAgain);
		}

		if (isFolder) {
			folders.set(pathIdentity(path), path);
		} else {
			files.add(pathIdentity(path));
			entries.push(await locate(zip, entry, path));
		}
	}

	refuseUnlistedEntries(zip, bytes);
	refuseFilesAsFolders(folders, files);
	refuseOverlaps(entries);
	refuseForeignList(bytes, entries, starts);
	return {zip, entries, leftOut};
};
