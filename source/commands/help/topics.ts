import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {lexer, type MarkedToken, Parser, type Token, type Tokens} from 'marked';
import type {HelpPart, HelpTopic} from './layout.ts';

/*
A topic is the part of a page for readers between `<!-- help NAME -->` and `<!-- /help -->`. In the bundle there are only the topics,
neither the pages nor the parser: the build puts what this file exports in its place (`source/build/build.ts`).
*/

const parser = new Parser();

const folder = path.resolve(import.meta.dirname, '../../../docs');

const topicInPage = /<!-- help (?<name>[-a-z]+) -->(?<markdown>.*?)<!-- \/help -->/gsu;

export const topicTexts: Readonly<Record<string, HelpTopic>> = Object.fromEntries(
	readdirSync(folder)
		.flatMap(page => [...readFileSync(path.join(folder, page), 'utf8').matchAll(topicInPage)])
		.map(({groups}) => [groups!['name']!, partsOf(groups!['markdown']!)]),
);

function partsOf(markdown: string): HelpTopic {
	const tokens = (lexer(markdown) as readonly MarkedToken[]).filter(({type}) => type !== 'space' && type !== 'html');
	const rows = tokens.flatMap(token => (token.type === 'table' ? rowsOf(token) : []));
	return tokens.flatMap((token, index): readonly HelpPart[] => {
		const before = tokens[index - 1];
		switch (token.type) {
			case 'paragraph': {
				return [textOf(token.tokens)];
			}

			case 'heading': {
				return tokens[index + 1]?.type === 'table' ? [] : [{title: textOf(token.tokens)}];
			}

			case 'code': {
				return [{lines: token.text.split('\n')}];
			}

			case 'list': {
				return [{steps: token.items.map(item => textOf(item.tokens.flatMap(line => ('tokens' in line ? (line.tokens ?? []) : []))))}];
			}

			case 'table': {
				const items = rowsOf(token).map(row => [termOf(row, rows), row.at(-1)!] as const);
				return [before?.type === 'heading' ? {heading: `${textOf(before.tokens)}:`, items} : {items}];
			}

			default: {
				throw new Error(`The help cannot show this (${token.type}): ${token.raw}`);
			}
		}
	});
}

function rowsOf({rows}: Tokens.Table): ReadonlyArray<readonly string[]> {
	return rows.map(row => row.map(({tokens}) => textOf(tokens)));
}

/** Returns all cells of a row but the last, as wide as those in other tables with as many columns. */
function termOf(row: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const alike = rows.filter(({length}) => length === row.length);
	return row
		.slice(0, -1)
		.map((text, column) => text.padEnd(Math.max(...alike.map(cells => cells[column]!.length))))
		.join('  ');
}

/** Returns a text without its marks, in one line. */
function textOf(tokens: Token[]): string {
	return parser.parseInline(tokens, parser.textRenderer).replaceAll('\n', ' ');
}
