import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {type AbilityOverrides, packAbility} from '../../source/bundle/pack-ability.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

/** The files of an ability that nothing is wrong with. */
export const lamps: Readonly<Record<string, string>> = {
	'main.py': 'print("lamps")\n',
	'__init__.py': '',
	'config.json': '{"unique_name": "lamps", "matching_hotwords": ["lamps please", "it is dark"]}',
	'sounds/bell.txt': 'ding',
};

/** Writes the files, by their paths, into a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
	for (const [path, content] of Object.entries(files)) {
		const location = join(folder, path);
		await mkdir(dirname(location), {recursive: true});
		await writeFile(location, content);
	}
}

/** A folder of its own for the test, with these files. */
export async function abilityFolder(files: Readonly<Record<string, string | Uint8Array>> = lamps, name = 'Ability1'): Promise<string> {
	const folder = join(temporaryFolder(), name);
	await mkdir(folder);
	await writeFiles(folder, files);
	return folder;
}

/** The refusal on one line: kind, field, message. Every one has a next step. */
export async function refusalOf(path: string, overrides?: AbilityOverrides): Promise<string> {
	try {
		await packAbility(path, overrides);
		return 'taken';
	} catch (error) {
		return error instanceof SwitchboardError
			? `${error.kind} ${String(error.field)}: ${error.message}${error.nextStep === undefined ? ' (no next step)' : ''}`
			: `foreign: ${String(error)}`;
	}
}
