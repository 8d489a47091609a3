import {checkAbilityFiles, findTopFolder, type PackageLayout} from '../../interface/ability-package/check-files.ts';
import {readZip} from '../../interface/ability-package/read-zip.ts';
import {quotePath} from '../../interface/ability-package/limits.ts';
import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {limitConcurrency} from '../../platform/turns.ts';
import {type Form, formFile} from '../http/forms.ts';

/** Returns a sentence about the files of a package that were not stored, to follow another one; empty if all were stored. */
export function sayLeftOut(leftOut: readonly string[]): string {
	const [first, ...others] = leftOut.filter(path => !path.endsWith('/'));
	return first === undefined
		? ''
		: ` Left out, because no ability needs it: ${quotePath(first)}${others.length === 0 ? '' : ` and ${others.length} more`}.`;
}

/** A small zip can hold as much as a large one. */
const oneAtATime = limitConcurrency(1);

type Rules = {readonly category: string; readonly layout: PackageLayout};

type Package = {
	/** Their paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
	/** The paths of junk, as they are in the zip. */
	readonly leftOut: readonly string[];
};

/**
Runs work on the files of the zip in a form, without junk. One package is unpacked at a time.

@throws SwitchboardError `refused` or `too-large`, naming the field, if the zip is missing or not an ability of the category.
*/
export async function withPackage<Result>(form: Form, rules: Rules, work: (content: Package) => Promise<Result>): Promise<Result> {
	return oneAtATime(async () => work(await readPackage(form, rules)));
}

async function readPackage(form: Form, rules: Rules): Promise<Package> {
	const zip = formFile(form, 'zip_file');
	if (zip === undefined) {
		throw new SwitchboardError('refused', 'The field zip_file is required.', {field: 'zip_file'});
	}

	const {files, leftOut} = await readZip(zip);
	const [problem] = checkAbilityFiles(files, rules);
	if (problem !== undefined) {
		throw problem;
	}

	const folder = rules.layout === 'folder' ? findTopFolder(files) : undefined;
	return {files: folder === undefined ? files : files.map(({path, bytes}) => ({path: path.slice(folder.length + 1), bytes})), leftOut};
}
