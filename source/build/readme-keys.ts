import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {keyRows} from '../tui/keys/hints.ts';
import {createKeymap} from '../tui/keys/keymap.ts';
import {type KeyScope} from '../tui/keys/key-table.ts';

const file = path.resolve(import.meta.dirname, '../../README.md');

const scopeLabels: Readonly<Record<KeyScope, string>> = {
	everywhere: 'everywhere',
	list: 'every list',
	switches: 'Abilities, Installed',
	agents: 'Agents',
	abilities: 'Abilities',
	installed: 'Installed',
};

/** A cell of a Markdown table: a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** The table of keys as the README has it, from the key table that the program uses. */
export const keysTable = (): string => [
	'| Keys | Name | Where | What they do |',
	'|---|---|---|---|',
	...keyRows(createKeymap()).map(({name, keys, scope, description}) =>
		`| ${keys.split(', ').map(key => `\`${cell(key)}\``).join(' ')} | ${name} | ${scopeLabels[scope]} | ${cell(description)} |`),
].join('\n');

/** The README with the table of keys between its markers. */
export const withKeysTable = (readme: string): string =>
	readme.replace(/<!-- keys -->[\s\S]*<!-- \/keys -->/u, () => `<!-- keys -->\n${keysTable()}\n<!-- /keys -->`);

if (import.meta.main) {
	const readme = await readFile(file, 'utf8');
	if (process.argv.includes('--check')) {
		process.exitCode = readme === withKeysTable(readme) ? 0 : 1;
	} else {
		await writeFile(file, withKeysTable(readme));
	}
}
