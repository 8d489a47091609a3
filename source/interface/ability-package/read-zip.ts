/* eslint-disable no-bitwise -- A zip packs several facts into one number. */
import {Buffer} from 'node:buffer';
import {readFile, stat} from 'node:fs/promises';
import {buffer} from 'node:stream/consumers';
import {setImmediate} from 'node:timers/promises';
import {crc32} from 'node:zlib';
import {type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile} from 'yauzl';
import {SwitchboardError, throwIfAny} from '../errors.ts';
import {checkFiles, parentFolders, pathIdentity, pathProblem} from './check-files.ts';
import {forbiddenReason, isJunk} from './junk.ts';
import {abilityLimits, formatBytes, formatOversize, oversize, quotePath, refusal} from './limits.ts';
import type {PackageFile} from './write-zip.ts';

const again = 'Pack it again.';

const packAgain = 'Pack the ability again, from plain files.';

const supportedMethods: ReadonlySet<number> = new Set([0, 8]);

const fileTypes = {none: 0, folder: 0o04_0000, plainFile: 0o10_0000, link: 0o12_0000};

/** Before each record of the list of files (APPNOTE.TXT 4.3.12), the bytes of each file (4.3.7), and after those of a stream (4.3.9). */
const signatures = {listRecord: 0x02_01_4b_50, localHeader: 0x04_03_4b_50, descriptor: 0x08_07_4b_50};

/** Everything else in this thread waits for them. */
const entriesInTurn = 250;

const environmentMark = /\/pyvenv\.cfg$/i;

/** How a reader treats files that no package may hold: it refuses the zip, or leaves them out and reports them. */
type ForbiddenFiles = 'refuse' | 'leave out';

/**
Reads a zip from an untrusted source. Refuses paths that lead out of it, links, encrypted, hidden, damaged or duplicate files, files that no
package may hold, and anything over the limits. Nothing is unpacked before all checks that need no unpacking have passed. Junk is left out:
it is neither checked nor unpacked.

@param source - the zip's bytes, or the path of the file that holds them.
@returns the files in the order of the zip, without folders, and the paths of junk (`junk.ts`) as they are in the zip; `forbidden` are the
files that no package may hold.
@throws SwitchboardError `refused` or `too-large`, naming the field `zip_file`.
*/
export async function readZip(source: string | Uint8Array, forbiddenFiles: ForbiddenFiles = 'refuse') {
	const bytes = await bytesOf(source);
	const {zip, entries, leftOut, forbidden} = await translated(
		async () => openZip(bytes, forbiddenFiles),
		'This is not a zip, or it is damaged.',
	);
	throwIfAny(checkFiles(entries)[0]);

	const files: Array<PackageFile & {readonly size: number}> = [];
	for (const entry of entries) {
		files.push({path: entry.path, size: entry.size, bytes: await unpack(zip, entry)});
	}

	return {files, leftOut, forbidden};
}

async function bytesOf(source: string | Uint8Array): Promise<Buffer> {
	if (typeof source !== 'string') {
		refuseSize(source.byteLength);
		return Buffer.from(source.buffer, source.byteOffset, source.byteLength);
	}

	return translated(
		async () => {
			refuseSize((await stat(source)).size);
			return readFile(source);
		},
		`${quotePath(source)} cannot be read.`,
	);
}

function refuseSize(size: number): void {
	if (size > abilityLimits.zipBytes) {
		throw oversize(`The zip is ${formatOversize(size, abilityLimits.zipBytes)}; it may be at most ${formatBytes(abilityLimits.zipBytes)}.`);
	}
}

async function translated<Result>(work: () => Promise<Result>, message: string): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof SwitchboardError ? error : refusal(message, again, error);
	}
}

/** A file in a zip, not yet unpacked. */
type ZipEntry = {
	readonly path: string;
	/** Bytes, unpacked, according to the zip. */
	readonly size: number;
	readonly entry: Entry;
	/** The offsets of its local header, and of the end of its bytes. */
	readonly start: number;
	readonly end: number;
};

/**
Reads and checks the list of files of a zip, without unpacking any. Junk (`junk.ts`) is left out without a check, unless no package may hold
it: it was packed by mistake, and its owner should know.

@throws SwitchboardError `refused` or `too-large`, or an error of the zip reader if the zip is damaged.
*/
async function openZip(bytes: Buffer, forbiddenFiles: ForbiddenFiles) {
	const zip = await fromBufferPromise(bytes, {decodeStrings: false});
	// Folders and files that are left out count too, hence the margin.
	if (zip.entryCount > abilityLimits.fileCount * 10) {
		throw oversize(`The zip lists ${zip.entryCount} files; an ability may have at most ${abilityLimits.fileCount}.`);
	}

	const entries: ZipEntry[] = [];
	const leftOut: string[] = [];
	const forbidden: string[] = [];
	const files = new Set<string>();
	const folders = new Map<string, string>();
	const starts = new Set<number>();
	const listed = await listEntries(zip);
	const isInEnvironment = forbiddenFiles === 'refuse' ? () => false : environmentTest(listed);
	for (const [index, {name, entry}] of listed.entries()) {
		if (index % entriesInTurn === 0) {
			await setImmediate();
		}

		const isFolder = name.endsWith('/');
		const path = isFolder ? name.slice(0, -1) : name;
		starts.add(entry.relativeOffsetOfLocalHeader);
		const reason = forbiddenReason(path);
		if (reason !== undefined && forbiddenFiles === 'refuse') {
			throw refusal(`${quotePath(path)} ${reason}.`, 'Pack the ability again without it.');
		}

		if (reason !== undefined || isInEnvironment(path)) {
			forbidden.push(name);
			continue;
		}

		if (isJunk(path)) {
			leftOut.push(name);
			continue;
		}

		// Folders have no bytes, but their names follow the same rules.
		const nameProblem = pathProblem(path);
		if (nameProblem !== undefined) {
			throw refusal(nameProblem, 'Rename it.');
		}

		const problem = entryProblem(entry, isFolder);
		if (problem !== undefined) {
			throw refusal(`${quotePath(path)} ${problem}.`, packAgain);
		}

		const {ratioFreeBytes, inflationRatio} = abilityLimits;
		if (entry.uncompressedSize > ratioFreeBytes && entry.uncompressedSize > entry.compressedSize * inflationRatio) {
			throw oversize(`${quotePath(path)} would unpack to more than ${inflationRatio} times its compressed size.`, packAgain);
		}

		if (isFolder) {
			folders.set(pathIdentity(path), path);
		} else {
			files.add(pathIdentity(path));
			entries.push(await locate(zip, entry, path));
		}
	}

	// If the list is too short, some programs see fewer files in the zip than others.
	if (readNumber(bytes, Number(zip.readEntryCursor)) === signatures.listRecord) {
		throw unlisted();
	}

	for (const [identity, folder] of folders) {
		if (files.has(identity)) {
			throw refusal(`${quotePath(folder)} is both a file and a folder.`, 'Rename one of the two.');
		}
	}

	refuseOverlaps(entries);
	refuseForeignList(bytes, entries, starts);
	return {zip, entries, leftOut, forbidden};
}

type NamedEntry = {readonly name: string; readonly entry: Entry};

/**
Returns the entries with their names. Some programs on Windows write `\\` between folders, against APPNOTE.TXT 4.4.17, and then never `/`.
*/
async function listEntries(zip: ZipFile): Promise<readonly NamedEntry[]> {
	const entries: NamedEntry[] = [];
	for await (const entry of zip.eachEntry()) {
		// Without the reader's option, which would take each backslash for a folder and stop at the first bad name.
		entries.push({name: getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true), entry});
	}

	return entries.some(({name}) => name.includes('/'))
		? entries
		: entries.map(({name, entry}) => ({name: name.replaceAll('\\', '/'), entry}));
}

/** Returns a test for the paths of virtual environments, whatever they are called. */
function environmentTest(entries: readonly NamedEntry[]): (path: string) => boolean {
	const marks = entries.filter(({name}) => environmentMark.test(name));
	const folders = new Set(marks.map(({name}) => name.replace(environmentMark, '')));
	return path => folders.size > 0 && parentFolders(path).some(folder => folders.has(folder));
}

/** Returns the problem of an entry by its record, as a clause that follows its name; `undefined` if it is valid. */
function entryProblem(entry: Entry, isFolder: boolean): string | undefined {
	if (entry.isEncrypted() || isStronglyEncrypted(entry)) {
		return 'is encrypted';
	}

	const type = fileTypeOf(entry);
	if (type === fileTypes.link) {
		return 'is a symbolic link';
	}

	if (type !== fileTypes.none && type !== (isFolder ? fileTypes.folder : fileTypes.plainFile)) {
		return 'is neither a plain file nor a folder';
	}

	if (isFolder && entry.uncompressedSize !== 0) {
		return 'is a folder with content';
	}

	const {compressionMethod} = entry;
	return supportedMethods.has(compressionMethod) ? undefined : `uses an unsupported compression method (${compressionMethod})`;
}

const isStronglyEncrypted = (entry: Entry): boolean => (entry.generalPurposeBitFlag & 0x40) !== 0;

/** The high half of the external attributes is the Unix mode (APPNOTE.TXT 4.4.15; Info-ZIP's `unix/unix.c`). */
const fileTypeOf = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0o17_0000;

/** Finds a file, which has two names in a zip. If they differ, two programs unpack different files. */
async function locate(zip: ZipFile, entry: Entry, path: string): Promise<ZipEntry> {
	const header = await zip.readLocalFileHeaderPromise(entry);
	if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod) {
		throw contradiction(path);
	}

	return {
		path,
		size: entry.uncompressedSize,
		entry,
		start: entry.relativeOffsetOfLocalHeader,
		end: header.fileDataStart + entry.compressedSize,
	};
}

const contradiction = (path: string): SwitchboardError => refusal(`The zip contradicts itself about ${quotePath(path)}.`, packAgain);

const readNumber = (bytes: Buffer, at: number): number | undefined => (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : undefined);

const unlisted = (): SwitchboardError => refusal('The zip contains more files than it lists.', packAgain);

/** Refuses overlapping files, which could make a small zip unpack to a huge amount of data. */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
	let reached = 0;
	for (const {path, start, end} of entries.toSorted((first, second) => first.start - second.start)) {
		if (start < reached) {
			throw refusal(`${quotePath(path)} overlaps another file in the zip.`, packAgain);
		}

		reached = end;
	}
}

/**
Refuses a zip whose list does not belong to its files: the header of a file contradicts the list, or a file is not in it. Programs that
write a stream leave checksum and sizes for after the file, some without a signature.

@param starts - the offsets of all listed files.
*/
function refuseForeignList(bytes: Buffer, entries: readonly ZipEntry[], starts: ReadonlySet<number>): void {
	for (const {
		path,
		start,
		end,
		entry: {crc32: checksum, compressedSize, uncompressedSize},
	} of entries) {
		const hasDescriptor = readNumber(bytes, end) === signatures.descriptor;
		const isStreamed = (bytes.readUInt16LE(start + 6) & 0x08) !== 0;
		const isRight = isStreamed
			? !hasDescriptor || (readNumber(bytes, end + 4) === checksum && isSame(readNumber(bytes, end + 8), compressedSize))
			: readNumber(bytes, start + 14) === checksum &&
				isSame(readNumber(bytes, start + 18), compressedSize) &&
				isSame(readNumber(bytes, start + 22), uncompressedSize);
		if (!isRight) {
			throw contradiction(path);
		}

		const nextStarts = hasDescriptor ? [end + 16, end + 24] : [end];
		if (nextStarts.some(next => readNumber(bytes, next) === signatures.localHeader && !starts.has(next))) {
			throw unlisted();
		}
	}
}

/** A size that needs 64 bits is stored elsewhere. */
const isSame = (found: number | undefined, listed: number): boolean => found === listed || found === 0xff_ff_ff_ff;

/** The zip reader fails if a file has more bytes than listed, or fewer at its end. */
const unpack = async (zip: ZipFile, {entry, path}: ZipEntry): Promise<Buffer> =>
	translated(
		async () => {
			const bytes = await buffer(await zip.openReadStreamPromise(entry));
			if (crc32(bytes) !== entry.crc32) {
				throw refusal(`${quotePath(path)} is damaged in the zip: its checksum is wrong.`, again);
			}

			return bytes;
		},
		`${quotePath(path)} is damaged in the zip.`,
	);
