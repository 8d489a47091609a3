import {path, readdirSync} from './node.ts';

/** All files below a folder, links among them, with slashes. */
export function filesIn(folder: string): readonly string[] {
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => !entry.isDirectory())
		.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}
