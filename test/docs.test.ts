import {assert, existsSync, path, test} from './helpers/node.ts';
import {readdir, readFile} from 'node:fs/promises';
import {filesIn} from './helpers/files-in.ts';

const root = path.resolve(import.meta.dirname, '..');

const read = async (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

const pages = (await readdir(path.join(root, 'docs'))).filter(name => name.endsWith('.md')).map(name => `docs/${name}`);

/** The headings of a page, longest first: one may be the beginning of another. */
async function headingsOf(page: string): Promise<readonly string[]> {
	const headings = [...(await read(page)).matchAll(/^#+ (?<heading>.+)$/gm)].map(match => match.groups!['heading']!);
	return headings.toSorted((first, second) => second.length - first.length);
}

test('each page that the code cites exists, with the section', async () => {
	const headings = new Map(await Promise.all(pages.map(async page => [page, await headingsOf(page)] as const)));
	const files = ['source', 'test']
		.flatMap(folder => filesIn(path.join(root, folder)).map(file => `${folder}/${file}`))
		.filter(file => /\.tsx?$/.test(file));
	const citations = (
		await Promise.all(
			files.map(async file => {
				const text = (await read(file)).replaceAll(/\s+/g, ' ');
				return [...text.matchAll(/`(?<page>(?:docs\/[\w\-./]+|[A-Z][-A-Z]+)\.md)`(?:, (?<section>[A-Z][^`]{0,60}))?/g)].map(({groups}) => ({
					file,
					page: groups!['page']!,
					section: groups!['section'],
				}));
			}),
		)
	).flat();
	assert.ok(citations.length > 50);
	const wrong = citations.filter(({page, section}) => {
		const known = headings.get(page) ?? [];
		return !existsSync(path.join(root, page)) || (section !== undefined && known.every(heading => !section.startsWith(heading)));
	});
	assert.deepEqual(wrong, []);
});

test('each file that a page names exists', async () => {
	const named = (
		await Promise.all(
			pages.map(async page => {
				const names = (await read(page)).matchAll(/`(?<name>(?:docs|source|test)\/[\w\-./]*)`/g);
				return [...names].map(({groups}) => ({page, name: groups!['name']!}));
			}),
		)
	).flat();
	assert.ok(named.length > 0);
	assert.deepEqual(
		named.filter(({name}) => !existsSync(path.join(root, name))),
		[],
	);
});

test('each beginning of a path that the runner chooses tests by is that of a test', async () => {
	const lists = [...(await read('test/run.ts')).matchAll(/Tests: readonly string\[\] = \[(?<list>[^\]]*)\]/g)];
	const starts = lists.flatMap(({groups}) => [...groups!['list']!.matchAll(/'(?<start>[^']+)'/g)].map(match => match.groups!['start']!));
	const files = filesIn(path.join(root, 'test')).map(file => `test/${file}`);
	assert.equal(lists.length, 3);
	assert.deepEqual(
		starts.filter(start => files.every(file => !file.startsWith(start))),
		[],
	);
});
