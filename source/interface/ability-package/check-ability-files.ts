import {type SwitchboardError} from '../errors.ts';
import {checkFiles, type PackageEntry} from './check-files.ts';
import {quotePath, refusal} from './refusals.ts';

/** `folder`: all files are in one top-level folder, as in an upload. `root`: they are at the root, as in a release. */
export type PackageLayout = 'folder' | 'root';

/** The files that the service needs to run an ability of the category (`LIVE-SERVICE.md`, Upload). */
const requiredFiles = (category: string): readonly string[] =>
	category === 'background_daemon' ? ['main.py', '__init__.py', 'background.py'] : ['main.py', '__init__.py'];

/** The one folder that contains all files; `undefined` if there is none. */
export const findTopFolder = (files: readonly PackageEntry[]): string | undefined => {
	const [first] = files;
	const folder = first?.path.split('/', 1)[0];
	return folder !== undefined && files.every(({path}) => path.startsWith(`${folder}/`)) ? folder : undefined;
};

const checkRequiredFiles = (paths: ReadonlySet<string>, prefix: string, category: string): readonly SwitchboardError[] =>
	requiredFiles(category).filter(name => !paths.has(prefix + name)).map(name => refusal(
		`${name} is missing${prefix === '' ? '' : ` in the folder ${quotePath(prefix.slice(0, -1))}`}.`,
		name === '__init__.py'
			? 'Add it; it may be empty.'
			: (name === 'background.py' ? 'Add it: a daemon runs this file.' : 'Add it: the ability starts with this file.'),
	));

const checkLayout = (files: readonly PackageEntry[], category: string, layout: PackageLayout): readonly SwitchboardError[] => {
	const paths = new Set(files.map(({path}) => path));
	if (files.length === 0) {
		return [refusal('It contains no files.', `An ability has at least ${requiredFiles(category).join(' and ')}.`)];
	}

	if (layout === 'root') {
		return checkRequiredFiles(paths, '', category);
	}

	const folder = findTopFolder(files);
	return folder === undefined
		? [refusal('The files are not in one top-level folder.', 'Put them all in one folder, and that folder in the zip.')]
		: checkRequiredFiles(paths, `${folder}/`, category);
};

/**
Everything that is wrong with the files of an ability: paths, names, sizes, the layout and what the category needs. Each
problem is of the kind `refused` or `too-large` and names the field `zip_file`. Source: `LIVE-SERVICE.md`, Upload; the limits
are in `limits.ts`.
*/
export const checkAbilityFiles = (
	files: readonly PackageEntry[],
	{category, layout}: {readonly category: string; readonly layout: PackageLayout},
): readonly SwitchboardError[] => [...checkFiles(files), ...checkLayout(files, category, layout)];
