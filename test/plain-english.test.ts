import {assert, path, readFileSync, readdirSync, test} from './helpers/node.ts';
import ts from 'typescript-6';
import {readSourceFiles} from './helpers/source-imports.ts';

/*
Plain English in comments, texts and pages, as far as words show it: sentences that begin with a pronoun in place of their noun, and words that are
not what a person would say.
*/

const openings = /(?:^|[.!?]\s+)(?:What|Who|Whom|Of|One that|Those that|The same|So many|Among)\b/g;

const words = /\b(?:stands|is told|are told|of which|whoever|in vain|of its own|of their own|(?<!there )is no(?! longer))\b/gi;

/** Each with its reason. */
const exceptions: readonly RegExp[] = [
	// The title of a column, which begins no sentence.
	/^What it does\b/,
	/^\|? ?What \|/,
	// A heading of the page on the architecture that names what follows.
	/^What is still ugly/,
	// A sentence goes on in the next line.
	/and `upload`, are not\. What$/,
];

function faultsIn(place: string, text: string): readonly string[] {
	return exceptions.some(exception => exception.test(text.trim()))
		? []
		: [openings, words].flatMap(pattern =>
				[...text.matchAll(pattern)].map(found => `${place}: “${found[0].trim()}” in: ${text.slice(0, 120)}`),
			);
}

function faultsInCode(name: string, text: string): readonly string[] {
	const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
	const faults: string[] = [];
	const seen = new Set<number>();
	const lineOf = (position: number): string => `${name}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
	const visit = (node: ts.Node): void => {
		const comments = [
			...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
			...(ts.getTrailingCommentRanges(text, node.end) ?? []),
		].filter(({pos}) => !seen.has(pos));
		for (const {pos, end} of comments) {
			seen.add(pos);
			const comment = text.slice(pos, end).replaceAll(/^\/\*\*?|\*\/$|^\/\//g, '');
			faults.push(...comment.split(/\n\s*\n/).flatMap(paragraph => faultsIn(lineOf(pos), paragraph.trim().replaceAll(/\s+/g, ' '))));
		}

		const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
		if ((isText || ts.isJsxText(node)) && node.text.includes(' ')) {
			faults.push(...faultsIn(lineOf(node.getStart()), node.text));
		}

		ts.forEachChild(node, visit);
	};

	visit(file);
	return faults;
}

test('comments, texts and pages are in plain English, as far as single words tell', async () => {
	const root = path.resolve(import.meta.dirname, '..');
	const pages = ['.', 'docs'].flatMap(folder =>
		readdirSync(path.join(root, folder))
			.filter(name => name.endsWith('.md'))
			.map(name => path.join(folder, name)),
	);
	const inPages = pages.flatMap(name => {
		const prose = readFileSync(path.join(root, name), 'utf8').replaceAll(/^```[^]*?^```$/gm, code => code.replaceAll(/[^\n]/g, ''));
		return prose.split('\n').flatMap((line, index) => faultsIn(`${name}:${index + 1}`, line.replace(/^[\s\-*|>#\d.]+/, '')));
	});
	const inCode = (await readSourceFiles()).flatMap(({path: name, text}) => faultsInCode(name, text));
	assert.deepEqual([...inPages, ...inCode], []);
});
