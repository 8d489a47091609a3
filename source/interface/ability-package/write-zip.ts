import {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {ZipFile} from 'yazl';

export type PackageFile = {
	/** Relative, its parts separated by `/`. */
	readonly path: string;
	readonly bytes: Uint8Array;
};

type StreamedFile = {readonly path: string; readonly size: number; readonly read: () => AsyncIterable<Uint8Array>};

/*
The files are stored uncompressed: the output of zlib differs between its versions and between processors. A zip contains local times, so
this noon is the same everywhere: built from local parts, it is written as those local parts.
*/
const entryOptions = () => ({
	mtime: new Date(1980, 0, 1, 12),
	mode: 0o10_0644,
	compress: false,
	// The other format of the time is in UTC and would depend on the time zone.
	forceDosTimestamp: true,
});

type Path = {readonly path: string};

const byPath = (first: Path, second: Path): number => (first.path < second.path ? -1 : first.path > second.path ? 1 : 0);

/** Returns the files as a zip: always the same bytes for the same files, on any machine, at any time, in any time zone and order. */
export async function writeZip(files: readonly PackageFile[]): Promise<Buffer> {
	const zip = new ZipFile();
	for (const {path, bytes} of files.toSorted(byPath)) {
		zip.addBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), path, entryOptions());
	}

	zip.end();
	return buffer(zip.outputStream);
}

/**
Returns the files as a zip that is made while it is read, with its size in bytes. One file at a time is open; a file that cannot be read ends
the stream with its error.
*/
export function streamZip(files: readonly StreamedFile[]) {
	const zip = new ZipFile();
	const stream = zip.outputStream as Readable;
	zip.on('error', (error: Error) => {
		stream.destroy(error);
	});
	for (const {path, size, read} of files.toSorted(byPath)) {
		zip.addReadStreamLazy(path, {...entryOptions(), size}, give => {
			const file = Readable.from(read(), {objectMode: false});
			// The library does not listen, and an error without a listener ends the process.
			file.on('error', error => {
				stream.destroy(error);
			});
			give(undefined, file);
		});
	}

	let zipSize: number | undefined;
	// Called at once: no file is compressed, and the size of each is known.
	zip.end(undefined, (size?: number) => {
		zipSize = size;
	});
	if (zipSize === undefined || zipSize < 0) {
		throw new Error('The size of a zip is unknown.');
	}

	return {size: zipSize, stream};
}
