import {Buffer} from 'node:buffer';
import {isCategory} from '../categories.ts';
import {normalizeText} from '../clean-text.ts';
import type {SwitchboardError} from '../errors.ts';
import {abilityLimits, formatBytes, formatOversize, oversize, quotePath, refusal} from './limits.ts';
import type {PackageFile} from './write-zip.ts';

export type PackageEntry = {
	/** Relative, its parts separated by `/`. */
	readonly path: string;
	/** Bytes, unpacked. */
	readonly size: number;
};

/** Returns files without their bytes. */
export function entriesOf(files: readonly PackageFile[]): readonly PackageEntry[] {
	return files.map(({path, bytes}) => ({path, size: bytes.byteLength}));
}

/** More would not help, and a hostile package may have thousands. */
const maximumProblems = 20;

/** Returns the problems of the files of any package: with their number, sizes and names. */
export function checkFiles(files: readonly PackageEntry[]): readonly SwitchboardError[] {
	const problems = checkSizes(files);
	// Checking far too many names would take too long.
	return files.length > abilityLimits.fileCount ? problems : [...problems, ...checkNames(files)].slice(0, maximumProblems);
}

function checkSizes(files: readonly PackageEntry[]): readonly SwitchboardError[] {
	const {fileCount, fileBytes, totalBytes} = abilityLimits;
	const sum = files.reduce((total, {size}) => total + size, 0);
	return [
		...(files.length > fileCount ? [oversize(`There are ${files.length} files; an ability may have at most ${fileCount}.`)] : []),
		...files
			.filter(({size}) => size > fileBytes)
			.map(({path, size}) =>
				oversize(`${quotePath(path)} is ${formatOversize(size, fileBytes)}; one file may be at most ${formatBytes(fileBytes)}.`),
			),
		...(sum > totalBytes
			? [oversize(`The files are ${formatOversize(sum, totalBytes)} in all; an ability may be at most ${formatBytes(totalBytes)}.`)]
			: []),
	];
}

function checkNames(files: readonly PackageEntry[]): readonly SwitchboardError[] {
	const problems: SwitchboardError[] = [];
	const seen = new Map<string, string>();
	for (const {path} of files) {
		const problem = pathProblem(path);
		if (problem !== undefined) {
			problems.push(refusal(problem, 'Rename it.'));
		}

		const identity = pathIdentity(path);
		const other = seen.get(identity);
		if (other !== undefined) {
			problems.push(
				other === path
					? refusal(`${quotePath(path)} occurs twice.`)
					: refusal(`${quotePath(other)} and ${quotePath(path)} are the same file on many systems.`, 'Rename one of the two.'),
			);
		}

		seen.set(identity, path);
		if (problems.length >= maximumProblems) {
			return problems;
		}
	}

	// A path that is both a file and a folder cannot be unpacked.
	for (const [identity, path] of seen) {
		const depth = parentFolders(identity).findIndex(folder => seen.has(folder));
		if (depth !== -1) {
			problems.push(refusal(`${quotePath(parentFolders(path)[depth]!)} is both a file and a folder.`, 'Rename one of the two.'));
		}
	}

	return problems;
}

/** Control characters, line separators, and marks that make one name look like another do not belong in a file name. */
const deceptiveCharacters = /[\p{Control}\u{61C}\u{200E}\u{200F}\u{2028}-\u{202E}\u{2066}-\u{2069}\u{FEFF}\u{FFFD}]/u;

/** The rules that a path may break, each with its message; the first that applies counts. */
const rules: ReadonlyArray<readonly [isBroken: (path: string) => boolean, problem: string]> = [
	[path => path === '', 'has no name'],
	// Before the rules that inspect every character.
	[path => path.length > abilityLimits.pathLength, `has a path of more than ${abilityLimits.pathLength} characters`],
	// A decoder puts U+FFFD where the bytes are not text.
	[path => !path.isWellFormed() || deceptiveCharacters.test(path), 'has a name with control, invisible or undecodable characters'],
	[path => path.includes('\\'), 'has a backslash in its name'],
	[path => path.startsWith('/'), 'is an absolute path'],
	// A colon names a drive or a hidden stream on Windows.
	[path => path.includes(':'), 'has a colon in its name'],
	[path => path.split('/').includes('..'), 'points outside its folder (“..”)'],
	[path => path.split('/').some(segment => segment === '' || segment === '.'), 'has an empty part in its path'],
	[path => path.split('/').length - 1 > abilityLimits.depth, `is more than ${abilityLimits.depth} folders deep`],
];

/** Returns the problem of a path in a package, whose parts are separated by `/`, as a sentence; `undefined` if it is valid. */
export function pathProblem(path: string): string | undefined {
	const broken = rules.find(([isBroken]) => isBroken(path));
	return broken && `${quotePath(path)} ${broken[1]}.`;
}

/**
Returns a text that is equal for two paths of the same file on a file system that ignores case or composes letters. The identity of a folder
is the beginning of the identities of its files: nothing composes with a `/`.
*/
export function pathIdentity(path: string): string {
	return normalizeText(path).toUpperCase().toLowerCase();
}

/** Returns every folder above the path, outermost first. */
export function parentFolders(path: string): readonly string[] {
	const segments = path.split('/').slice(0, -1);
	return segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
}

/** `folder`: all files are in one top-level folder, as in an upload. `root`: they are at the root, as in a release. */
export type PackageLayout = 'folder' | 'root';

/** Returns the one folder that contains all files; `undefined` if there is none. */
export function findTopFolder(files: readonly PackageEntry[]): string | undefined {
	const [first] = files;
	const folder = first?.path.split('/', 1)[0];
	return folder !== undefined && files.every(({path}) => path.startsWith(`${folder}/`)) ? folder : undefined;
}

/** The files in which the code of an ability may begin. */
export const startFiles = ['main.py', 'background.py'] as const;

/** Tells whether the files are those of a daemon without another start: no other category could run them. */
export function isDaemonOnly(paths: Pick<ReadonlySet<string>, 'has'>): boolean {
	return paths.has('background.py') && !paths.has('main.py');
}

/**
Returns everything that is wrong with the files of an ability: paths, names, sizes, the layout and what the category needs. Each
problem is of the kind `refused` or `too-large` and names the field `zip_file`. Source: `docs/interface.md`, Upload; the limits
are in `limits.ts`.
*/
export function checkAbilityFiles(
	files: readonly PackageEntry[],
	{category, layout}: {readonly category: string; readonly layout: PackageLayout},
): readonly SwitchboardError[] {
	return [...checkFiles(files), ...checkLayout(files, category, layout)];
}

function checkLayout(files: readonly PackageEntry[], category: string, layout: PackageLayout): readonly SwitchboardError[] {
	if (files.length === 0) {
		const names = requiredFiles(category, false).map(([name]) => name);
		return [refusal('It contains no files.', `An ability has at least ${names.join(' and ')}.`)];
	}

	const folder = layout === 'root' ? '' : findTopFolder(files);
	if (folder === undefined) {
		return [refusal('The files are not in one top-level folder.', 'Put them all in one folder, and that folder in the zip.')];
	}

	const [prefix, place] = folder === '' ? ['', ''] : [`${folder}/`, ` in the folder ${quotePath(folder)}`];
	const paths = new Set(files.map(({path}) => path.slice(prefix.length)));
	return requiredFiles(category, isDaemonOnly(paths))
		.filter(([name]) => !paths.has(name))
		.map(([name, nextStep]) => refusal(`${name} is missing${place}.`, nextStep));
}

/** Returns the files that the service needs to run an ability (`docs/interface.md`, Upload), each with the next step if it is missing. */
function requiredFiles(category: string, isOnlyDaemon: boolean): ReadonlyArray<readonly [name: string, nextStep: string]> {
	const isDaemon = category === 'background_daemon' || (isOnlyDaemon && !isCategory(category));
	const alternative = isOnlyDaemon ? ', or choose the category daemon, which needs only background.py' : '';
	const main = ['main.py', `Add it: the ability starts with this file${alternative}.`] as const;
	const init = ['__init__.py', 'Add it; it may be empty.'] as const;
	return isDaemon ? [init, ['background.py', 'Add it: a daemon runs this file.']] : [main, init];
}

export type ImageType = 'image/png' | 'image/jpeg';

const signatures: ReadonlyArray<readonly [type: ImageType, start: string]> = [
	['image/png', '89504e470d0a1a0a'],
	['image/jpeg', 'ffd8ff'],
];

/** Returns the type of an image by its first bytes, whatever its name; `undefined` if it is neither PNG nor JPEG. */
export function detectImageType(bytes: Uint8Array): ImageType | undefined {
	const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
	return signatures.find(([, signature]) => start.startsWith(signature))?.[0];
}
