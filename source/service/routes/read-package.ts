import {checkAbilityFiles, findTopFolder, type PackageLayout} from '../../interface/ability-package/check-ability-files.ts';
import {readZip} from '../../interface/ability-package/read-zip.ts';
import {type PackageFile} from '../../interface/ability-package/write-zip.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {type Form, formFile} from '../http/forms.ts';

/**
All files of the zip in a form, with their paths in the ability's folder.

@throws SwitchboardError `refused` or `too-large`, naming the field, if the zip is missing or not an ability of the category.
*/
export const readPackage = async (form: Form, rules: {readonly category: string; readonly layout: PackageLayout}): Promise<readonly PackageFile[]> => {
	const zip = formFile(form, 'zip_file');
	if (zip === undefined) {
		throw new SwitchboardError('refused', 'The field zip_file is required.', {field: 'zip_file'});
	}

	const {files} = await readZip(zip);
	const [problem] = checkAbilityFiles(files, rules);
	if (problem !== undefined) {
		throw problem;
	}

	const folder = rules.layout === 'folder' ? findTopFolder(files) : undefined;
	return folder === undefined ? files : files.map(({path, bytes}) => ({path: path.slice(folder.length + 1), bytes}));
};
