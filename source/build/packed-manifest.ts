import {existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Holds the project's own `package.json` while npm packs another in its place. */
const keptName = '.package.json.packing';

/**
Returns the text of a `package.json` as it is packed: without `prepare`, which is for checkouts: npm would say that it was not run.
*/
function packedManifest(text: string): string {
	const {scripts, ...rest} = JSON.parse(text) as {readonly scripts: Readonly<Record<string, string>>};
	const {prepare: _, ...packedScripts} = scripts;
	return `${JSON.stringify({...rest, scripts: packedScripts}, undefined, '\t')}\n`;
}

/** Puts the `package.json` to pack in the place of a project's own. Its time stays: the program is built anew after a change. */
function replaceManifest(folder: string): void {
	restoreManifest(folder);
	const [file, kept] = [path.join(folder, 'package.json'), path.join(folder, keptName)];
	const {atime, mtime} = statSync(file);
	renameSync(file, kept);
	writeFileSync(file, packedManifest(readFileSync(kept, 'utf8')));
	utimesSync(file, atime, mtime);
}

/** Puts the project's own back, also after a packing that was interrupted, but not over what somebody has written since. */
function restoreManifest(folder: string): void {
	const [file, kept] = [path.join(folder, 'package.json'), path.join(folder, keptName)];
	if (!existsSync(kept)) {
		return;
	}

	if (!existsSync(file) || readFileSync(file, 'utf8') === packedManifest(readFileSync(kept, 'utf8'))) {
		renameSync(kept, file);
	} else {
		rmSync(kept);
	}
}

if (import.meta.main) {
	// npm runs its scripts in the folder of the project.
	const act = process.argv[2] === 'replace' ? replaceManifest : restoreManifest;
	act(process.cwd());
}
