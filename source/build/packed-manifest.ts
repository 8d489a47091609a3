import {existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync, copyFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Holds the project's own `package.json` while npm packs another in its place. */
const keptName = '.package.json.packing';

/**
Returns the text of a `package.json` as it is packed: without `prepare`, which is for checkouts, and of which npm would say that it was not run.
*/
export function packedManifest(text: string): string {
	const {scripts, ...rest} = JSON.parse(text) as {readonly scripts: Readonly<Record<string, string>>};
	const {prepare: _, ...packedScripts} = scripts;
	return `${JSON.stringify({...rest, scripts: packedScripts}, undefined, '\t')}\n`;
}

/** Puts the `package.json` to pack in the place of a project's own. Its time stays: the program is built anew after a change. */
function replaceManifest(folder: string): void {
	// An earlier packing may have been interrupted.
	restoreManifest(folder);
	const [file, kept] = [path.join(folder, 'package.json'), path.join(folder, keptName)];
	const {atime, mtime} = statSync(file);
	copyFileSync(file, kept);
	utimesSync(kept, atime, mtime);
	writeFileSync(file, packedManifest(readFileSync(file, 'utf8')));
	utimesSync(file, atime, mtime);
}

function restoreManifest(folder: string): void {
	const kept = path.join(folder, keptName);
	if (existsSync(kept)) {
		renameSync(kept, path.join(folder, 'package.json'));
	}
}

if (import.meta.main) {
	// npm runs its scripts in the folder of the project.
	const act = process.argv[2] === 'replace' ? replaceManifest : restoreManifest;
	act(process.cwd());
}
