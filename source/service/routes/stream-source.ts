import {setImmediate} from 'node:timers/promises';
import {Readable} from 'node:stream';
import {crc32} from 'node:zlib';
import {streamZip, zipSize} from '../../interface/ability-package/write-zip.ts';
import {type Releases, type Source} from '../store/store.ts';

/** What is read at once to be sent: what a download that nobody takes holds in memory. */
const sentBytes = 256 * 1024;

/** What is read at once to be checked. The store reads a whole file for each piece of it, so few pieces are quicker. */
const checkedBytes = 2 * 1024 * 1024;

type Zip = {
	readonly size: number;
	readonly stream: Readable;
};

/**
The files of a release as a zip, which is read from the store while it is sent. If the release is replaced meanwhile, the stream
fails.
*/
export const streamSource = async (releases: Releases, {releaseId, files}: Source): Promise<Zip> => {
	async function * read(path: string, size: number, pieceBytes: number) {
		for (let offset = 0; offset < size; offset += pieceBytes) {
			yield await releases.readBytes(releaseId, path, offset, pieceBytes);
			// Other requests come between two pieces.
			await setImmediate();
		}
	}

	// The header of a file has its checksum, so all is read once before it is sent.
	const checked = [];
	for (const {path, size} of files) {
		let checksum = 0;
		for await (const bytes of read(path, size, checkedBytes)) {
			checksum = crc32(bytes, checksum);
		}

		checked.push({
			path,
			size,
			crc32: checksum,
			read: () => read(path, size, sentBytes),
		});
	}

	return {size: zipSize(files), stream: Readable.from(streamZip(checked), {objectMode: false})};
};
