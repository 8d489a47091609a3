import {Buffer} from 'node:buffer';
import {readFile, stat} from 'node:fs/promises';
import {buffer} from 'node:stream/consumers';
import {crc32} from 'node:zlib';
import {type ZipFile} from 'yauzl';
import {SwitchboardError} from '../errors.ts';
import {checkFiles} from './check-files.ts';
import {abilityLimits, formatBytes, formatOversize} from './limits.ts';
import {oversize, quotePath, refusal} from './refusals.ts';
import {type PackageFile} from './write-zip.ts';
import {openZip, type ZipEntry} from './open-zip.ts';

type UnpackedZip = {
	/** In the order of the zip, without folders. */
	readonly files: ReadonlyArray<PackageFile & {readonly size: number}>;
	/** The paths of junk (`junk.ts`), as they are in the zip. */
	readonly leftOut: readonly string[];
};

const again = 'Pack it again.';

const translated = async <Result>(work: () => Promise<Result>, message: string): Promise<Result> => {
	try {
		return await work();
	} catch (error) {
		throw error instanceof SwitchboardError ? error : refusal(message, again, error);
	}
};

const refuseSize = (size: number): void => {
	if (size > abilityLimits.zipBytes) {
		throw oversize(`The zip is ${formatOversize(size, abilityLimits.zipBytes)}; it may be at most ${formatBytes(abilityLimits.zipBytes)}.`);
	}
};

/** The zip reader fails as soon as a file has more, or in the end fewer, bytes than listed. */
const unpack = async (zip: ZipFile, {entry, path}: ZipEntry): Promise<Buffer> => translated(async () => {
	const bytes = await buffer(await zip.openReadStreamPromise(entry));
	if (crc32(bytes) !== entry.crc32) {
		throw refusal(`${quotePath(path)} is damaged in the zip: its checksum is wrong.`, again);
	}

	return bytes;
}, `${quotePath(path)} is damaged in the zip.`);

const bytesOf = async (source: string | Uint8Array): Promise<Buffer> => {
	if (typeof source !== 'string') {
		refuseSize(source.byteLength);
		return Buffer.from(source.buffer, source.byteOffset, source.byteLength);
	}

	return translated(async () => {
		const {size} = await stat(source);
		refuseSize(size);
		return readFile(source);
	}, `${quotePath(source)} cannot be read.`);
};

/**
Reads a zip from an untrusted source. Refuses paths that lead out of it, links, encrypted, hidden, damaged or duplicate
files, what no package may hold, and anything over the limits. Nothing is unpacked before all checks that need no unpacking
have passed. Junk is left out: it is neither checked nor unpacked.

@param source - the zip's bytes, or the path of the file that holds them.
@throws SwitchboardError `refused` or `too-large`, naming the field `zip_file`.
*/
export const readZip = async (source: string | Uint8Array): Promise<UnpackedZip> => {
	const bytes = await bytesOf(source);
	const {zip, entries, leftOut} = await translated(async () => openZip(bytes), 'This is not a zip, or it is damaged.');
	const [problem] = checkFiles(entries);
	if (problem !== undefined) {
		throw problem;
	}

	const files = [];
	for (const entry of entries) {
		files.push({path: entry.path, size: entry.size, bytes: await unpack(zip, entry)});
	}

	return {files, leftOut};
};
