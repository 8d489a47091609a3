import assert from 'node:assert/strict';
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import ts from 'typescript-6';

/*
How large the program may be. A change that makes it smaller lowers these ceilings with it; a new feature raises them by what it is worth.
*/

const ceilings = {
	source: {
		files: 456, lines: 70_970, codeLines: 53_840, codeCharacters: 2_211_800, longLines: 1335,
	},
	test: {lines: 72_220},
};

/** Lines of more characters than this are counted as long; a tab counts as one. */
const longLine = 140;

const root = path.resolve(import.meta.dirname, '..');

/** The lines of a file that hold code, without their indentation. */
const codeLinesOf = (name: string, text: string): readonly string[] => {
	const lines = text.split('\n');
	const coded = new Set<number>();
	if (/\.[jt]sx?$/.test(name)) {
		const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
		const visit = (node: ts.Node): void => {
			const children = node.getChildren(file).filter(({kind}) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
			for (const child of children) {
				visit(child);
			}

			if (children.length > 0 || node.end === node.getStart(file)) {
				return;
			}

			const [first, last] = [node.getStart(file), node.end].map(position => file.getLineAndCharacterOfPosition(position).line);
			for (let line = first!; line <= last!; line++) {
				coded.add(line);
			}
		};

		visit(file);
	}

	return lines.filter((_, index) => coded.size === 0 || coded.has(index)).map(line => line.trim()).filter(line => line !== '');
};

const readFiles = async (folder: string): Promise<ReadonlyArray<{readonly name: string; readonly text: string}>> => {
	const entries = await readdir(path.join(root, folder), {recursive: true, withFileTypes: true});
	const files = entries.filter(entry => entry.isFile() && /\.(?:[jt]sx?|sql|py|sh)$/.test(entry.name)).map(entry => path.join(entry.parentPath, entry.name));
	return Promise.all(files.filter(file => !file.includes(path.join('sample', 'home'))).map(async name => ({name, text: await readFile(name, 'utf8')})));
};

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Says each figure that is above its ceiling. */
const aboveCeiling = (figures: Readonly<Record<string, number>>, limits: Readonly<Record<string, number>>): readonly string[] =>
	Object.entries(figures).filter(([name, figure]) => figure > limits[name]!).map(([name, figure]) => `${name}: ${figure}, ceiling ${limits[name]}`);

test('the source is not larger than its ceilings', async t => {
	const files = await readFiles('source');
	const code = files.flatMap(({name, text}) => codeLinesOf(name, text));
	const lines = files.flatMap(({text}) => linesOf(text));
	const figures = {
		files: files.length,
		lines: lines.length,
		codeLines: code.length,
		codeCharacters: code.reduce((sum, line) => sum + line.length, 0),
		longLines: lines.filter(line => line.length > longLine).length,
	};
	t.diagnostic(JSON.stringify(figures));
	assert.deepEqual(aboveCeiling(figures, ceilings.source), []);
});

test('the tests are not larger than their ceiling', async t => {
	const files = await readFiles('test');
	const figures = {lines: files.flatMap(({text}) => linesOf(text)).length};
	t.diagnostic(JSON.stringify(figures));
	assert.deepEqual(aboveCeiling(figures, ceilings.test), []);
});
