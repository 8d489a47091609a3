import {type SwitchboardError} from '../errors.ts';
import {abilityLimits, formatBytes, formatOversize} from './limits.ts';
import {pathProblem, parentFolders, pathIdentity} from './paths.ts';
import {oversize, quotePath, refusal} from './refusals.ts';

/** A file of a package. */
export type PackageEntry = {
	/** Relative, its parts separated by `/`. */
	readonly path: string;
	/** Bytes, unpacked. */
	readonly size: number;
};

/** More would not help, and a hostile package may have thousands. */
const maximumProblems = 20;

const checkSizes = (files: readonly PackageEntry[]): readonly SwitchboardError[] => {
	const {fileCount, fileBytes, totalBytes} = abilityLimits;
	const sum = files.reduce((total, {size}) => total + size, 0);
	return [
		...(files.length > fileCount ? [oversize(`There are ${files.length} files; an ability may have at most ${fileCount}.`)] : []),
		...files.filter(({size}) => size > fileBytes).map(({path, size}) =>
			oversize(`${quotePath(path)} is ${formatOversize(size, fileBytes)}; one file may be at most ${formatBytes(fileBytes)}.`)),
		...(sum > totalBytes ? [oversize(`The files are ${formatOversize(sum, totalBytes)} in all; an ability may be at most ${formatBytes(totalBytes)}.`)] : []),
	];
};

const checkNames = (files: readonly PackageEntry[]): readonly SwitchboardError[] => {
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
			problems.push(other === path
				? refusal(`${quotePath(path)} occurs twice.`)
				: refusal(`${quotePath(other)} and ${quotePath(path)} are the same file on many systems.`, 'Rename one of the two.'));
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
};

/** What is wrong with the files of any package: their number, sizes and names. */
export const checkFiles = (files: readonly PackageEntry[]): readonly SwitchboardError[] => {
	const problems = checkSizes(files);
	// Checking far too many names would take too long.
	return files.length > abilityLimits.fileCount ? problems : [...problems, ...checkNames(files)].slice(0, maximumProblems);
};
