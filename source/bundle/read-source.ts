import {Buffer} from 'node:buffer';
import {open, realpath, stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {type SwitchboardError} from '../interface/errors.ts';
import {findTopFolder} from '../interface/ability-package/check-ability-files.ts';
import {quotePath, refusal} from '../interface/ability-package/refusals.ts';
import {readZip} from '../interface/ability-package/read-zip.ts';
import {type PackageFile} from '../interface/ability-package/write-zip.ts';
import {fileError} from './file-errors.ts';
import {readFolder} from './read-folder.ts';

/** The files of an ability, from a folder or a zip. */
export type AbilitySource = {
	/** The name of the folder or zip. */
	readonly baseName: string;
	/** Paths are relative to the ability's own folder. */
	readonly files: readonly PackageFile[];
	readonly leftOut: readonly string[];
};

const readZipSource = async (path: string): Promise<AbilitySource> => {
	const {files, leftOut} = await readZip(path);
	const folder = findTopFolder(files);
	return {
		baseName: folder ?? basename(path).replace(/\.zip$/i, ''),
		files: folder === undefined ? files : files.map(({path: inner, bytes}) => ({path: inner.slice(folder.length + 1), bytes})),
		leftOut,
	};
};

/** A file of an ability, given by mistake, does not. */
const startsLikeZip = async (location: string): Promise<boolean> => {
	await using file = await open(location);
	const {buffer} = await file.read({buffer: Buffer.alloc(2)});
	return buffer.toString() === 'PK';
};

const noSource = (path: string): SwitchboardError => refusal(`${quotePath(path)} is neither a folder nor a zip.`, 'Use the folder of an ability, or a zip of it.');

/**
Reads an ability from a folder, or from a zip that has its files in one top-level folder or at its root. Junk (`junk.ts`)
is not read.

@throws SwitchboardError `refused`, `too-large` or `conflict`, naming the field `zip_file`.
*/
export const readSource = async (path: string): Promise<AbilitySource> => {
	try {
		const location = await realpath(path);
		const stats = await stat(location);
		if (stats.isDirectory()) {
			return {baseName: basename(location), ...await readFolder(location)};
		}

		if (!stats.isFile()) {
			throw noSource(path);
		}

		if (!/\.zip$/i.test(location) && !await startsLikeZip(location)) {
			throw noSource(path);
		}

		return await readZipSource(location);
	} catch (error) {
		throw fileError(error, path, 'zip_file');
	}
};
