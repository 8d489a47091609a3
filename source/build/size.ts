import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import ts from 'typescript-6';

/*
Prints how large the program and its tests are: files, lines, and what of it is code. Generated files and data count, the sample home does
not.
*/

/** A line with more characters is long; a tab counts as one. */
const longLine = 140;

const root = path.resolve(import.meta.dirname, '../..');

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Returns the lines that hold code, without their indentation; of a file that is not JavaScript, all that are not blank. */
function codeLinesOf(name: string, text: string): readonly string[] {
	const lines = linesOf(text);
	if (!/\.[jt]sx?$/.test(name)) {
		return lines.map(line => line.trim()).filter(line => line !== '');
	}

	const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
	const withCode = new Set<number>();
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
			withCode.add(line);
		}
	};

	visit(file);
	return lines.filter((_, index) => withCode.has(index)).map(line => line.trim());
}

async function measure(folder: string): Promise<Readonly<Record<string, number>>> {
	const entries = await readdir(path.join(root, folder), {recursive: true, withFileTypes: true});
	const names = entries
		.filter(
			entry => entry.isFile() && /\.(?:[jt]sx?|sql|py|sh)$/.test(entry.name) && !entry.parentPath.includes(path.join('sample', 'home')),
		)
		.map(entry => path.join(entry.parentPath, entry.name));
	const files = await Promise.all(names.map(async name => ({name, text: await readFile(name, 'utf8')})));
	const lines = files.flatMap(({text}) => linesOf(text));
	const code = files.flatMap(({name, text}) => codeLinesOf(name, text));
	return {
		files: files.length,
		lines: lines.length,
		'code lines': code.length,
		'code characters': code.reduce((sum, line) => sum + line.length, 0),
		[`lines over ${longLine}`]: lines.filter(line => line.length > longLine).length,
	};
}

for (const folder of ['source', 'test']) {
	process.stdout.write(
		`${folder}\n${Object.entries(await measure(folder))
			.map(([name, figure]) => `${String(figure).padStart(11)}  ${name}\n`)
			.join('')}`,
	);
}
