import {readdir, readFile} from 'node:fs/promises';
import {posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import ts from 'typescript-6';

const sourceRoot = fileURLToPath(new URL('../../source/', import.meta.url));

export type SourceFile = {
	/** Relative to `source/`, its parts separated by `/`. */
	readonly path: string;
	readonly text: string;
	/** All its imports: static, `import()`, type-only and re-exports. */
	readonly imports: readonly string[];
};

/** Every TypeScript file under `source/` with its imports, without the data files of the sample. */
export async function readSourceFiles(): Promise<readonly SourceFile[]> {
	const entries = await readdir(sourceRoot, {recursive: true, withFileTypes: true});
	const paths = entries
		.filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
		.map(entry => posix.relative(sourceRoot, posix.join(entry.parentPath, entry.name)));
	return Promise.all(
		paths.map(async path => {
			const text = await readFile(sourceRoot + path, 'utf8');
			return {path, text, imports: ts.preProcessFile(text, true, true).importedFiles.map(({fileName}) => fileName)};
		}),
	);
}

/** The file under `source/` that a relative import refers to, `../…` if outside; `undefined` for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
	return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}

/** The package that an import refers to, without the path inside it; `undefined` for a file. */
export function packageOf(specifier: string): string | undefined {
	return specifier.startsWith('.')
		? undefined
		: specifier
				.split('/')
				.slice(0, specifier.startsWith('@') ? 2 : 1)
				.join('/');
}

/** All texts in the code of a file: strings and the parts of templates, not comments. */
export function textsIn({path, text}: SourceFile): readonly string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddle(node) ||
			ts.isTemplateTail(node) ||
			ts.isJsxText(node)
		) {
			texts.push(node.text);
		}

		ts.forEachChild(node, visit);
	};

	visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
	return texts;
}
