import {Buffer} from 'node:buffer';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import sea from 'node:sea';
import {fileURLToPath} from 'node:url';
import {type AbilitySource, readSource} from '../../bundle/read-source.ts';
import {isExecutable} from '../../platform/executable.ts';

/** Beside this file's chunk if built (`source/build/build.ts`), otherwise beside this file. The executable has it among its assets. */
export const sampleHomeFolder = isExecutable
	? 'sample-home'
	: fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './home' : './sample-home', import.meta.url));

/** A text file of the sample home. */
export const readSampleText = async (name: string): Promise<string> =>
	isExecutable ? sea.getAsset(`${sampleHomeFolder}/${name}`, 'utf8') : readFile(path.join(sampleHomeFolder, name), 'utf8');

/**
The files of an ability of the sample home.

@throws SwitchboardError as `readSource` does.
*/
export const readSampleAbility = async (name: string): Promise<AbilitySource> => {
	if (!isExecutable) {
		return readSource(path.join(sampleHomeFolder, 'abilities', name));
	}

	const start = `${sampleHomeFolder}/abilities/${name}/`;
	const keys = sea.getAssetKeys().filter(key => key.startsWith(start)).toSorted();
	return {baseName: name, files: keys.map(key => ({path: key.slice(start.length), bytes: Buffer.from(sea.getAsset(key))})), leftOut: []};
};
