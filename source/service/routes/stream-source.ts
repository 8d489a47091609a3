import {setImmediate} from 'node:timers/promises';
import {Readable} from 'node:stream';
import {crc32} from 'node:zlib';
import {streamZip, zipSize} from '../../interface/ability-package/write-zip.ts';
import {type Releases, type Source} from '../store/store.ts';

/** A download that nobody reads takes no more memory than this. */
const pieceBytes = 512 * 1024;

type Zip = {
	readonly size: number;
	readonly stream: Readable;
};

/**
The files of a release as a zip, which is read from the store while it is sent. If the release is replaced meanwhile, the stream
fails.
*/
export const streamSource = async (releases: Releases, {releaseId, files}: Source): Promise<Zip> => {
	async function * read(path: string, size: number) {
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
		for await (const bytes of read(path, size)) {
			checksum = crc32(bytes, checksum);
		}

		checked.push({
			path,
			size,
			crc32: checksum,
			read: () => read(path, size),
		});
	}

	return {size: zipSize(files), stream: Readable.from(streamZip(checked), {objectMode: false})};
};
