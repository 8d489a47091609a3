import {mkdirSync, path, readdirSync, readFileSync, writeFileSync} from '../helpers/node.ts';
import {cellarFiles} from './outcomes.ts';

/** The files that every ability has. */
export function codeFiles(code: string): Readonly<Record<string, string>> {
	return {'main.py': code, '__init__.py': ''};
}

/** The same for one that begins by a phrase. */
export function spokenFiles(code: string): Readonly<Record<string, string>> {
	return {...codeFiles(code), 'config.json': '{"matching_hotwords": ["open sesame"]}'};
}

/** Writes files, by their paths, into a folder. */
export function writeFolder(folder: string, files: Readonly<Record<string, string | Uint8Array>> = cellarFiles): string {
	for (const [name, content] of Object.entries(files)) {
		const location = path.join(folder, name);
		mkdirSync(path.dirname(location), {recursive: true});
		writeFileSync(location, content);
	}

	return folder;
}

/** Returns the bytes of the files in a folder, as Latin-1. */
export const bytesIn = (folder: string): Readonly<Record<string, string>> =>
	Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'latin1')]));

/** The texts of all files in a folder, by their paths, but for the one that says which ability it is. */
export function readFolderTexts(folder: string): Readonly<Record<string, string>> {
	return Object.fromEntries(
		readdirSync(folder, {recursive: true, withFileTypes: true})
			.filter(entry => entry.isFile() && entry.name !== '.openhome.json')
			.map(entry => path.join(entry.parentPath, entry.name))
			.map(location => [path.relative(folder, location), readFileSync(location, 'utf8')]),
	);
}
