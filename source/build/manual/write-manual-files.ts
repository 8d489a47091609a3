import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {completionScripts, type Shell} from '../../commands/completion/scripts.ts';
import {manualPage} from './manual-page.ts';

/** The names by which the shells find the scripts in a folder of theirs. */
const scriptNames: Readonly<Record<Shell, string>> = {bash: 'switchboard.bash', zsh: '_switchboard', fish: 'switchboard.fish'};

/** Writes the manual page and the completion scripts, for those who install the package. */
export const writeManualFiles = async (outputFolder: string, version: string): Promise<void> => {
	const manualFolder = path.join(outputFolder, 'man');
	const completionFolder = path.join(outputFolder, 'completions');
	await Promise.all([manualFolder, completionFolder].map(async folder => mkdir(folder, {recursive: true})));
	await Promise.all([
		writeFile(path.join(manualFolder, 'switchboard.1'), await manualPage(version)),
		...Object.entries(scriptNames).map(async ([shell, name]) => writeFile(path.join(completionFolder, name), `${completionScripts[shell as Shell]}\n`)),
	]);
};
