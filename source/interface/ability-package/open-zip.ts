import {Buffer} from 'node:buffer';
import {
	type Entry,
	fromBufferPromise,
	getFileNameLowLevel,
	type ZipFile,
} from 'yauzl';
import {abilityLimits} from './limits.ts';
import {pathProblem, pathIdentity} from './paths.ts';
import {oversize, quotePath, refusal} from './refusals.ts';
import {zipEntryProblem, inflationProblem} from './zip-entry-rules.ts';

/** A file in a zip that has been looked at but not yet unpacked. */
export type ZipEntry = {
	readonly path: string;
	/** Bytes, unpacked, as the zip claims. */
	readonly size: number;
	readonly entry: Entry;
	/** Where its bytes begin and end in the zip, with its local header. */
	readonly start: number;
	readonly end: number;
};

/** Folders take no bytes, but their names are names like any other. */
const refuseFolderNames = (folders: readonly string[], entries: readonly ZipEntry[]): void => {
	const files = new Set(entries.map(({path}) => pathIdentity(path)));
	for (const folder of folders) {
		const complaint = pathProblem(folder);
		if (complaint !== undefined) {
			throw refusal(complaint, 'Rename it.');
		}

		if (files.has(pathIdentity(folder))) {
			throw refusal(`${quotePath(folder)} is both a file and a folder.`, 'Rename one of the two.');
		}
	}
};

const locate = async (zip: ZipFile, entry: Entry, path: string): Promise<ZipEntry> => {
	const header = await zip.readLocalFileHeaderPromise(entry);
	// A file has two names in a zip. Where they differ, two programs unpack two different files.
	if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod) {
		throw refusal(`The zip says two different things about ${quotePath(path)}.`, 'Pack it again.');
	}

	return {
		path,
		size: entry.uncompressedSize,
		entry,
		start: entry.relativeOffsetOfLocalHeader,
		end: header.fileDataStart + entry.compressedSize,
	};
};

/** Files that share bytes are how a small zip comes to unpack to a huge one. */
const refuseOverlaps = (entries: readonly ZipEntry[]): void => {
	let reached = 0;
	for (const {path, start, end} of entries.toSorted((first, second) => first.start - second.start)) {
		if (start < reached) {
			throw refusal(`${quotePath(path)} shares its bytes with another file of the zip.`, 'Pack it again.');
		}

		reached = end;
	}
};

/** Before each record of the list of files stands this (APPNOTE.TXT 4.3.12). */
const listRecordSignature = Buffer.from('504b0102', 'hex');

/** Half a list is how a zip shows one program fewer files than another. */
const refuseUnlistedEntries = (zip: ZipFile, bytes: Buffer): void => {
	const end = Number(zip.readEntryCursor);
	if (bytes.subarray(end, end + 4).equals(listRecordSignature)) {
		throw refusal('The zip holds more files than it says.', 'Pack it again.');
	}
};

const packAgain = 'Pack the ability again, from plain files.';

export type OpenZip = {
	readonly zip: ZipFile;
	/** The files, without folders and what was left out, in the order of the zip. */
	readonly entries: readonly ZipEntry[];
	readonly leftOut: readonly string[];
};

/**
Looks at all that a zip says about its files, without unpacking any.

@param isLeftOut - true for the paths of files that are passed over: never looked at, never unpacked.
@throws SwitchboardError `refused` or `too-large`; what the zip reader throws where the zip is damaged.
*/
export const openZip = async (bytes: Buffer, isLeftOut: (path: string) => boolean): Promise<OpenZip> => {
	const zip = await fromBufferPromise(bytes, {decodeStrings: false});
	// Folders and files that are left out count here too, hence the wide margin.
	if (zip.entryCount > abilityLimits.fileCount * 10) {
		throw oversize(`The zip lists ${zip.entryCount} files; an ability may have at most ${abilityLimits.fileCount}.`);
	}

	const entries: ZipEntry[] = [];
	const leftOut: string[] = [];
	const folders: string[] = [];
	for await (const entry of zip.eachEntry()) {
		// By hand instead of by the reader's option, which would turn backslashes into folders and stop at the first bad name.
		const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
		const isFolder = name.endsWith('/');
		const path = isFolder ? name.slice(0, -1) : name;
		if (isLeftOut(path)) {
			leftOut.push(name);
			continue;
		}

		const complaint = zipEntryProblem(entry, isFolder);
		if (complaint !== undefined) {
			throw refusal(`${quotePath(path)} ${complaint}.`, packAgain);
		}

		const inflation = inflationProblem(entry);
		if (inflation !== undefined) {
			throw oversize(`${quotePath(path)} ${inflation}.`, packAgain);
		}

		if (isFolder) {
			folders.push(path);
		} else {
			entries.push(await locate(zip, entry, path));
		}
	}

	refuseUnlistedEntries(zip, bytes);
	refuseFolderNames(folders, entries);
	refuseOverlaps(entries);
	return {zip, entries, leftOut};
};
