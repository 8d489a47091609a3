import {readFile, readdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Command} from 'commander';
import {createCommandLine} from '../commands/command-line.ts';
import {pathOf} from '../commands/command-tree.ts';
import {createTools} from '../commands/mcp/serve.ts';
import {filterSyntax} from '../interface/filter.ts';
import {createKeymap, keyRows} from '../words/keymap.ts';
import {keyTable, type ActionName} from '../words/key-table.ts';
import {signRows} from '../words/signs.ts';

/*
The pages for readers hold tables that the program has too, such as its keys. They are between `<!-- from NAME -->` and `<!-- /from -->`,
and are written from the program.
*/

const root = path.resolve(import.meta.dirname, '../..');

/** The actions that a new user needs first; `switchboard help keys` lists all. */
const firstActions: readonly ActionName[] = [
	'toggle',
	'open',
	'filter',
	'mark',
	'enable-marked',
	'disable-marked',
	'undo',
	'timer',
	'presets',
	'next-screen',
	'profiles',
	'palette',
	'help',
	'quit',
];

/** Returns a page with the parts that the program has. */
export function withParts(page: string): string {
	return page.replaceAll(
		/(<!-- from ([^>]+) -->\n).*?(<!-- \/from -->)/gsu,
		(_, start: string, name: string, end: string) => `${start}${partOf(name)}\n${end}`,
	);
}

function partOf(name: string): string {
	const rows = keyRows(createKeymap());
	const [, scopes] = /^keys (?<scopes>.+)$/.exec(name) ?? [];
	if (scopes !== undefined) {
		return table(
			['Key', 'Action', 'What it does'],
			scopes
				.split(' ')
				.flatMap(scope => rows.filter(row => row.scope === scope))
				.map(row => [codes(row.keys), code(row.name), row.description]),
		);
	}

	switch (name) {
		case 'first keys': {
			const first = firstActions.map(action => rows.find(row => row.name === action)!);
			return table(
				['Key', 'What it does'],
				first.map(({keys, name: action, description}) => {
					const {daily} = keyTable[action];
					return [codes(keys), typeof daily === 'string' ? daily : description];
				}),
			);
		}

		case 'filter terms': {
			return table(
				['Term', 'What it does'],
				filterSyntax.map(({term, description}) => [code(term), description]),
			);
		}

		case 'signs': {
			return table(
				['Sign', 'Meaning'],
				signRows.map(({sign, description}) => [code(sign), description]),
			);
		}

		case 'columns': {
			const lists = commandsOf(createCommandLine(() => async () => undefined)).flatMap(command => {
				const columns = command.options.find(({long}) => long === '--columns')?.argChoices;
				return columns === undefined
					? []
					: [
							[
								pathOf(command)
									.replace(/^\S+ /, '')
									.replace(/(?<!keys) list$/, ''),
								columns,
							] as const,
						];
			});
			return table(
				['List', 'Columns'],
				lists.filter(([command]) => command !== 'phrases').map(([command, columns]) => [code(command), columns.join(', ')]),
			);
		}

		case 'tools': {
			return table(
				['Tool', 'What it does'],
				createTools({isReadOnly: false, isPruneAllowed: false}).map(({name: tool, isWriting, title}) => [
					code(tool),
					isWriting ? `${title}; not with \`--read-only\`` : title,
				]),
			);
		}

		default: {
			throw new Error(`The program has no part “${name}”.`);
		}
	}
}

const commandsOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(commandsOf)];

const table = (heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
	[
		`| ${heads.join(' | ')} |`,
		`|${heads.map(() => '---').join('|')}|`,
		...rows.map(cells => `| ${cells.map(text => text.replaceAll('|', String.raw`\|`)).join(' | ')} |`),
	].join('\n');

const code = (text: string): string => `\`${text}\``;

/** Labels of keys have no comma in them. */
const codes = (keys: string): string =>
	keys
		.split(', ')
		.map(key => code(key))
		.join(', ');

/** Returns the pages for readers. */
export async function readPages(): Promise<ReadonlyMap<string, string>> {
	const names = await readdir(path.join(root, 'docs'));
	const files = ['README.md', ...names.filter(name => name.endsWith('.md')).map(name => `docs/${name}`)];
	return new Map(await Promise.all(files.map(async file => [file, await readFile(path.join(root, file), 'utf8')] as const)));
}

if (import.meta.main) {
	const pages = await readPages();
	for (const [file, page] of pages) {
		await writeFile(path.join(root, file), withParts(page));
	}
}
