import {Buffer} from 'node:buffer';
import {buffer} from 'node:stream/consumers';
import {fromBufferPromise} from 'yauzl';
import {ZipFile} from 'yazl';
import type {SourceFile} from './home.ts';

/** The files of a zip; throws where it is none. */
export async function unzip(zip: Uint8Array): Promise<readonly SourceFile[]> {
	const archive = await fromBufferPromise(Buffer.from(zip));
	const files: SourceFile[] = [];
	for await (const entry of archive.eachEntry()) {
		if (!entry.fileName.endsWith('/')) {
			files.push({path: entry.fileName, bytes: await buffer(await archive.openReadStreamPromise(entry))});
		}
	}

	return files;
}

/** A zip of the files. */
export async function zip(files: readonly SourceFile[]): Promise<Buffer> {
	const archive = new ZipFile();
	for (const {path, bytes} of files) {
		archive.addBuffer(Buffer.from(bytes), path);
	}

	archive.end();
	return buffer(archive.outputStream);
}

/** The files without the one top-level folder that they lie in; `undefined` where they lie in none, or in several. */
export function withoutTopFolder(files: readonly SourceFile[]): readonly SourceFile[] | undefined {
	const folders = new Set(files.map(({path}) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined)));
	const [folder] = folders;
	return folders.size === 1 && folder !== undefined
		? files.map(({path, bytes}) => ({path: path.slice(folder.length + 1), bytes}))
		: undefined;
}
