import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {keyRows, createKeymap} from '../tui/keys/keymap.ts';
import type {ActionName} from '../tui/keys/key-table.ts';

const file = path.resolve(import.meta.dirname, '../../README.md');

/** The actions that a new user needs first; `switchboard help keys` lists all. */
const firstActions: readonly ActionName[] = [
	'toggle',
	'open',
	'filter',
	'mark',
	'enable-marked',
	'disable-marked',
	'undo',
	'presets',
	'next-screen',
	'profiles',
	'palette',
	'help',
	'quit',
];

/** A cell of a Markdown table, where a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const keysTable = (): string => {
	const rows = keyRows(createKeymap());
	return [
		'| Key | What it does |',
		'|---|---|',
		...firstActions.map(name => {
			const {keys, description} = rows.find(row => row.name === name)!;
			return `| ${keys.split(', ').map(key => `\`${cell(key)}\``).join(' ')} | ${cell(description)} |`;
		}),
	].join('\n');
};

/** The README with the table of keys, made from the key table of the program, between its markers. */
export const withKeysTable = (readme: string): string =>
	readme.replace(/<!-- keys -->[\s\S]*<!-- \/keys -->/u, () => `<!-- keys -->\n${keysTable()}\n<!-- /keys -->`);

if (import.meta.main) {
	await writeFile(file, withKeysTable(await readFile(file, 'utf8')));
}
