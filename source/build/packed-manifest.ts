import {
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import process from 'node:process';

/*
Hides the script `prepare` in `package.json` while npm packs it (`hide`), and shows it again (`show`). It is for checkouts; of
an installed package npm says that it has a script which was not run, as if something were missing.
*/

const manifestFile = 'package.json';

const shown = '"prepare":';
const hidden = '"_prepare":';

const [before, after] = process.argv[2] === 'hide' ? [shown, hidden] : [hidden, shown];
const {atime, mtime} = statSync(manifestFile);
writeFileSync(manifestFile, readFileSync(manifestFile, 'utf8').replace(before, after));
// Nothing has changed that the bundle is made of.
utimesSync(manifestFile, atime, mtime);
