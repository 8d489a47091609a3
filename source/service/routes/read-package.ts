import {checkAbilityFiles, findTopFolder, type PackageLayout} from '../../interface/ability-package/check-ability-files.ts';
import {readZip} from '../../interface/ability-package/read-zip.ts';
import {quotePath} from '../../interface/ability-package/refusals.ts';
import {type PackageFile} from '../../interface/ability-package/write-zip.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {type Form, formFile} from '../http/forms.ts';

type Package = {
	/** Their paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
	/** The paths of junk, as they are in the zip. */
	readonly leftOut: readonly string[];
};

/** Which files of a package were not stored, as a sentence after another one; empty if all were. */
export const sayLeftOut = (leftOut: readonly string[]): string => {
	const [first, ...others] = leftOut.filter(path => !path.endsWith('/'));
	return first === undefined ? '' : ` Left out, because no ability needs it: ${quotePath(first)}${others.length === 0 ? '' : ` and ${others.length} more`}.`;
};

type Rules = {readonly category: string; readonly layout: PackageLayout};

const readPackage = async (form: Form, rules: Rules): Promise<Package> => {
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
	return {
		files: folder === undefined ? files : files.map(({path, bytes}) => ({path: path.slice(folder.length + 1), bytes})),
		leftOut,
	};
};

let lastPackage: Promise<undefined> = Promise.resolve(undefined);

/**
Works with the files of the zip in a form, without junk. One package is unpacked at a time: a
small zip can hold as much as a large one.

@throws SwitchboardError `refused` or `too-large`, naming the field, if the zip is missing or not an ability of the category.
*/
export const withPackage = async <Result>(form: Form, rules: Rules, work: (content: Package) => Promise<Result>): Promise<Result> => {
	const turn = lastPackage;
	const {promise, resolve} = Promise.withResolvers<undefined>();
	lastPackage = promise;
	await turn;
	try {
		return await work(await readPackage(form, rules));
	} finally {
		resolve(undefined);
	}
};
