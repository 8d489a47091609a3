import {Buffer} from 'node:buffer';
import {buffer} from 'node:stream/consumers';
import {ZipFile} from 'yazl';

/** A file of a package, with its bytes. */
export type PackageFile = {
	/** Relative, its parts separated by `/`. */
	readonly path: string;
	readonly bytes: Uint8Array;
};

/*
A zip contains local times, so this is the same noon everywhere: built from local parts, it is written as the same local
parts.
*/
const fixedTime = (): Date => new Date(1980, 0, 1, 12);

const byPath = (first: PackageFile, second: PackageFile): number => first.path < second.path ? -1 : (first.path > second.path ? 1 : 0);

/**
The files as a zip: the same bytes for the same files on any machine, at any time, in any time zone and order.

The files are stored uncompressed: the output of zlib differs between its versions and between processors.
*/
export const writeZip = async (files: readonly PackageFile[]): Promise<Buffer> => {
	const zip = new ZipFile();
	for (const {path, bytes} of files.toSorted(byPath)) {
		zip.addBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), path, {
			mtime: fixedTime(),
			mode: 0o10_0644,
			compress: false,
			// The other format of the time is in UTC and would depend on the time zone.
			forceDosTimestamp: true,
		});
	}

	zip.end();
	return buffer(zip.outputStream);
};
