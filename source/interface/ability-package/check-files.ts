import {type SwitchboardError} from '../errors.ts';
import {abilityLimits, formatBytes} from './limits.ts';
import {pathProblem, parentFolders, pathIdentity} from './paths.ts';
import {oversize, quotePath, refusal} from './refusals.ts';

/** A file of a package by its path, its parts separated by `/`. */
export type PackageEntry = {
	readonly path: string;
	/** Bytes, unpacked. */
	readonly size: number;
};

/** More than these say nothing new, and a hostile package may earn thousands. */
const maximumComplaints = 20;

const checkSizes = (files: readonly PackageEntry[]): readonly SwitchboardError[] => {
	const {fileCount, fileBytes, totalBytes} = abilityLimits;
	const sum = files.reduce((total, {size}) => total + size, 0);
	return [
		...(files.length > fileCount ? [oversize(`${files.length} files are more than an ability may have: ${fileCount}.`)] : []),
		...files.filter(({size}) => size > fileBytes).map(({path, size}) =>
			oversize(`${quotePath(path)} is ${formatBytes(size)}; one file may be at most ${formatBytes(fileBytes)}.`)),
		...(sum > totalBytes ? [oversize(`The files come to ${formatBytes(sum)}; an ability may be at most ${formatBytes(totalBytes)}.`)] : []),
	];
};

const checkNames = (files: readonly PackageEntry[]): readonly SwitchboardError[] => {
	const complaints: SwitchboardError[] = [];
	const seen = new Map<string, string>();
	for (const {path} of files) {
		const complaint = pathProblem(path);
		if (complaint !== undefined) {
			complaints.push(refusal(complaint, 'Rename it.'));
		}

		const identity = pathIdentity(path);
		const other = seen.get(identity);
		if (other !== undefined) {
			complaints.push(other === path
				? refusal(`${quotePath(path)} is there twice.`)
				: refusal(`${quotePath(other)} and ${quotePath(path)} are one and the same on many machines.`, 'Rename one of the two.'));
		}

		seen.set(identity, path);
		if (complaints.length >= maximumComplaints) {
			return complaints;
		}
	}

	// A name that is a file here and a folder there cannot be unpacked.
	for (const {path} of files) {
		const clash = parentFolders(path).find(folder => seen.has(pathIdentity(folder)));
		if (clash !== undefined) {
			complaints.push(refusal(`${quotePath(clash)} is both a file and a folder.`, 'Rename one of the two.'));
		}
	}

	return complaints;
};

/** What is wrong with the files of a package, whatever it holds: their number, sizes and names. */
export const checkFiles = (files: readonly PackageEntry[]): readonly SwitchboardError[] => {
	const complaints = checkSizes(files);
	// Names of far too many files are not worth the time.
	return files.length > abilityLimits.fileCount ? complaints : [...complaints, ...checkNames(files)].slice(0, maximumComplaints);
};
