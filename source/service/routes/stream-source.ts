import {setImmediate} from 'node:timers/promises';
import {streamZip, type StreamedZip} from '../../interface/ability-package/write-zip.ts';
import {type Releases, type Source} from '../store/store.ts';

/** What is read at once: what a download that nobody takes holds in memory. */
const pieceBytes = 256 * 1024;

/**
The files of a release as a zip, which is read from the store while it is sent. If the release is replaced meanwhile, the stream
fails: it never has files of two saves.
*/
export const streamSource = (releases: Releases, {files, ...code}: Source): StreamedZip => {
	async function * read(path: string, size: number) {
		for (let offset = 0; offset < size; offset += pieceBytes) {
			yield await releases.readBytes(code, path, offset, pieceBytes);
			// Other requests come between two pieces.
			await setImmediate();
		}
	}

	return streamZip(files.map(({path, size}) => ({path, size, read: () => read(path, size)})));
};
