import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import path from 'node:path';
import {newAbilityFiles} from '../bundle/new-ability.ts';
import {checkSource} from '../bundle/pack-ability.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import type {Category} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {shellWord} from '../platform/shell-word.ts';
import type {Context} from './context.ts';
import {refuseEmptyFolder} from './file-names.ts';
import {printResult} from './output/table.ts';
import {fileLines, refuseConflicts, surveyFolder, writeFiles} from './write-folder.ts';

/** Writes the files of a small ability to a folder that is missing or empty. */
export async function writeNewAbility(
	context: Context,
	folder: string,
	{category = 'skill'}: {readonly category?: Category},
): Promise<void> {
	refuseEmptyFolder(folder);
	const root = path.resolve(folder);
	const baseName = cleanText(path.basename(root));
	const files = newAbilityFiles(baseName, category);
	const survey = await surveyFolder(root, files);
	const [held] = existsSync(root) ? await readdir(root) : [];
	if (held !== undefined) {
		throw new SwitchboardError('conflict', `${quotePath(folder)} is not empty: it holds ${quotePath(held)}. Nothing was written.`, {
			nextStep: 'Name a folder that does not exist yet.',
		});
	}

	refuseConflicts(survey, folder, false);
	if (!context.isDryRun) {
		await context.finishBeforeExit(writeFiles(root, survey.toWrite));
	}

	const {name} = checkSource({baseName, files, leftOut: []}, {category});
	const word = shellWord(folder);
	await printResult(context, {
		json: {folder, name, category, files: files.map(file => file.path)},
		sentence: [
			`${context.isDryRun ? 'Would write' : 'Wrote'} ${counted(files.length, 'file')} to ${quotePath(folder)}.`,
			`Check it with: switchboard abilities check ${word}`,
			`Upload it with: switchboard abilities upload ${word}${category === 'skill' ? ' --triggers PHRASE' : ''} --category ${category}`,
		].join('\n'),
		fields: [fileLines(files, survey).join('\n')],
	});
}
