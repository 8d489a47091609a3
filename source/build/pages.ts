import {readFile, readdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {topics} from '../commands/help.ts';
import type {HelpItem, HelpTopic} from '../commands/help/topic.ts';
import {createTools} from '../commands/mcp/serve.ts';
import {createKeymap, keyRows} from '../words/keymap.ts';
import type {ActionName} from '../words/key-table.ts';
import {signRows} from '../words/signs.ts';

/*
The pages for readers hold parts that the program has too: its keys, its signs, its help. Such a part stands between
`<!-- from NAME -->` and `<!-- /from -->`, and is written from the program.
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
	'presets',
	'next-screen',
	'profiles',
	'palette',
	'help',
	'quit',
];

/** A cell of a Markdown table, where a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const table = (heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
	[
		`| ${heads.join(' | ')} |`,
		`|${heads.map(() => '---').join('|')}|`,
		...rows.map(cells => `| ${cells.map(text => cell(text)).join(' | ')} |`),
	].join('\n');

type Row = ReturnType<typeof keyRows>[number];

const keysTable = (rows: readonly Row[]): string =>
	table(
		['Key', 'What it does'],
		rows.map(({keys, description}) => [
			keys
				.split(', ')
				.map(key => code(key))
				.join(' '),
			description,
		]),
	);

/** A text in which nothing is taken for Markdown: brackets for HTML or a link, stars and underscores for emphasis. Options and variables are code. */
const plain = (text: string): string =>
	text.replaceAll(/(?<![\w-])(?:switchboard [ \-a-z]+ )?--[-a-z]+|[A-Z]+(?:_[*A-Z]+)+(?:=1)?|[*<>[\]_]/g, part =>
		part.length > 1 ? code(part) : `\\${part}`,
	);

const itemsTable = (items: readonly HelpItem[]): string =>
	table(
		['', ''],
		items.map(([term, meaning]) => [code(term.trim()), plain(meaning)]),
	);

/** A topic of the help as Markdown. */
const toMarkdown = (topic: HelpTopic): string =>
	topic
		.map(part => {
			if (typeof part === 'string') {
				return plain(part);
			}

			if ('title' in part) {
				return `## ${part.title}`;
			}

			return 'lines' in part
				? ['```text', ...part.lines, '```'].join('\n')
				: [...(part.heading === undefined ? [] : [plain(part.heading)]), itemsTable(part.items)].join('\n\n');
		})
		.join('\n\n');

/** Returns a page with the parts that the program has. */
export async function withParts(page: string): Promise<string> {
	let filled = page;
	for (const {0: whole, groups} of page.matchAll(/<!-- from (?<name>[^>]+) -->[\s\S]*?<!-- \/from -->/gu)) {
		const name = groups!['name']!;
		const part = await partOf(name);
		filled = filled.replace(whole, () => `<!-- from ${name} -->\n${part}\n<!-- /from -->`);
	}

	return filled;
}

async function partOf(name: string): Promise<string> {
	const rows = keyRows(createKeymap());
	const topic = topics.find(each => `help ${each.name}` === name);
	if (topic !== undefined) {
		return toMarkdown(await topic.load());
	}

	const parts: Readonly<Record<string, () => string>> = {
		'first keys': () => keysTable(firstActions.map(action => rows.find(row => row.name === action)!)),
		'all keys': () => keysTable(rows.filter(({scope}) => scope !== 'text')),
		tools: () =>
			table(
				['Tool', 'What it does'],
				createTools({isReadOnly: false, isPruneAllowed: false}).map(({name: tool, isWriting, title}) => [
					code(tool),
					isWriting ? `${title}; not with \`--read-only\`` : title,
				]),
			),
		signs: () =>
			table(
				['Sign', 'Meaning'],
				signRows.map(({sign, description}) => [code(sign), plain(description)]),
			),
	};
	const part = parts[name];
	if (part === undefined) {
		throw new Error(`The program has no part “${name}”.`);
	}

	return part();
}

/** Returns the pages for readers. */
export async function readPages(): Promise<ReadonlyMap<string, string>> {
	const names = await readdir(path.join(root, 'docs'));
	const files = ['README.md', ...names.filter(name => name.endsWith('.md')).map(name => `docs/${name}`)];
	return new Map(await Promise.all(files.map(async file => [file, await readFile(path.join(root, file), 'utf8')] as const)));
}

if (import.meta.main) {
	const pages = await readPages();
	for (const [file, page] of pages) {
		await writeFile(path.join(root, file), await withParts(page));
	}
}
