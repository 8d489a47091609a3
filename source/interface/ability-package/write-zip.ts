import {Buffer} from 'node:buffer';
import {buffer} from 'node:stream/consumers';
import {crc32} from 'node:zlib';

/** A file of a package, with its bytes. */
export type PackageFile = {
	/** Relative, its parts separated by `/`. */
	readonly path: string;
	readonly bytes: Uint8Array;
};

/** A file of a package whose bytes are read when they are needed. */
export type StreamedFile = {
	readonly path: string;
	readonly size: number;
	/** Of all its bytes. */
	readonly crc32: number;
	readonly read: () => AsyncIterable<Uint8Array>;
};

/*
The records of a zip, by APPNOTE.TXT 4.3. The files are stored uncompressed: the output of zlib differs between its versions and
between processors. A zip contains local times, so all have the same noon.
*/

const versionNeeded = 20;
/** Unix, so that the mode counts; version 6.3. */
const versionMadeBy = 0x03_3F;
const isUtf8Flag = 0x08_00;
const noon = 0x60_00;
const firstOfJanuary1980 = 0x00_21;
const mode = 0o10_0644;

const localHeaderBytes = 30;
const listRecordBytes = 46;
const endRecordBytes = 22;

/** What the header of a file and its record in the list have in common. */
const writeCommonFields = (record: Buffer, file: StreamedFile, name: Buffer): void => {
	const fields = [versionNeeded, isUtf8Flag, 0, noon, firstOfJanuary1980];
	for (const [index, field] of fields.entries()) {
		record.writeUInt16LE(field, index * 2);
	}

	record.writeUInt32LE(file.crc32, 10);
	record.writeUInt32LE(file.size, 14);
	record.writeUInt32LE(file.size, 18);
	record.writeUInt16LE(name.length, 22);
};

const localHeader = (file: StreamedFile): Buffer => {
	const name = Buffer.from(file.path);
	const header = Buffer.alloc(localHeaderBytes);
	header.writeUInt32LE(0x04_03_4B_50, 0);
	writeCommonFields(header.subarray(4), file, name);
	return Buffer.concat([header, name]);
};

const listRecord = (file: StreamedFile, offset: number): Buffer => {
	const name = Buffer.from(file.path);
	const record = Buffer.alloc(listRecordBytes);
	record.writeUInt32LE(0x02_01_4B_50, 0);
	record.writeUInt16LE(versionMadeBy, 4);
	writeCommonFields(record.subarray(6), file, name);
	record.writeUInt32LE(mode * 0x1_00_00, 38);
	record.writeUInt32LE(offset, 42);
	return Buffer.concat([record, name]);
};

const endRecord = (fileCount: number, listBytes: number, listOffset: number): Buffer => {
	const record = Buffer.alloc(endRecordBytes);
	record.writeUInt32LE(0x06_05_4B_50, 0);
	record.writeUInt16LE(fileCount, 8);
	record.writeUInt16LE(fileCount, 10);
	record.writeUInt32LE(listBytes, 12);
	record.writeUInt32LE(listOffset, 16);
	return record;
};

type Path = {readonly path: string};

const byPath = (first: Path, second: Path): number => first.path < second.path ? -1 : (first.path > second.path ? 1 : 0);

/** How many bytes the zip of the files has. */
export const zipSize = (files: ReadonlyArray<Pick<StreamedFile, 'path' | 'size'>>): number =>
	files.reduce((sum, {path, size}) => sum + localHeaderBytes + listRecordBytes + (2 * Buffer.byteLength(path)) + size, endRecordBytes);

/**
The zip of the files.

@yields its pieces, each read when the one before is written.
*/
export async function * streamZip(files: readonly StreamedFile[]): AsyncGenerator<Uint8Array> {
	const list: Buffer[] = [];
	let offset = 0;
	for (const file of files.toSorted(byPath)) {
		const header = localHeader(file);
		list.push(listRecord(file, offset));
		yield header;
		yield * file.read();
		offset += header.length + file.size;
	}

	const records = Buffer.concat(list);
	yield records;
	yield endRecord(files.length, records.length, offset);
}

/** The files as a zip: the same bytes for the same files on any machine, at any time, in any time zone and order. */
export const writeZip = async (files: readonly PackageFile[]): Promise<Buffer> => buffer(streamZip(files.map(({path, bytes}) => ({
	path,
	size: bytes.length,
	crc32: crc32(bytes),
	async * read() {
		yield bytes;
	},
}))));
