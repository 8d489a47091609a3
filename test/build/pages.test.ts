import {assert, assertNone, existsSync, once, path, readFile, spawn, suite, test, type TestContext, text} from '../helpers/node.ts';
import {readPages, withParts} from '../../source/build/pages.ts';
import {createCommandLine} from '../../source/commands/command-line.ts';
import {topics} from '../../source/commands/help.ts';
import {splitShellWords} from '../../source/platform/shell-word.ts';
import {startServedHome} from '../commands/served-home.ts';
import {provideProgram} from '../helpers/provide-program.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

const pages = await readPages();

const contributing = await readFile(path.join(root, 'CONTRIBUTING.md'), 'utf8');

test('what the pages share with the program is as the program has it', () => {
	assert.ok(pages.get('README.md')!.includes('<!-- from first keys -->'));
	for (const [file, page] of pages) {
		assert.equal(page, withParts(page), `${file}: run: npm run pages`);
	}
});

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): readonly string[] {
	const headings = page.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (?<heading>.+)$/gm);
	const toAnchor = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}\-_ ]/gu, '');
	return [...headings].map(({groups}) => toAnchor(groups!['heading']!).replaceAll(' ', '-'));
}

test('every picture and every link of the pages leads to a file, and to a heading of it', async () => {
	const names = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
	const others = await Promise.all(names.map(async name => [name, await readFile(path.join(root, name), 'utf8')] as const));
	const all = new Map([...pages, ...others]);
	const links = [...all].flatMap(([file, page]) =>
		[...page.matchAll(/\]\((?!https?:)(?<to>[^\s#()]*)(?:#(?<anchor>[^\s()]+))?\)|<img[^>]* src="(?<image>[^"]+)"/gu)].map(({groups}) => {
			const {to = '', anchor, image} = groups!;
			return {file, target: path.join(path.dirname(file), image ?? (to === '' ? path.basename(file) : to)), anchor};
		}),
	);
	assert.ok(links.length > 60 && links.some(({anchor}) => anchor !== undefined));
	assertNone(links, ({target}) => !existsSync(path.join(root, target)));
	assertNone(links, ({target, anchor}) => anchor !== undefined && !anchorsOf(all.get(target) ?? '').includes(anchor));
});

type Block = {
	readonly file: string;
	readonly text: string;
	/** Why it is not run. */
	readonly untested: string | undefined;
	/** What is run before. */
	readonly setup: string;
};

const blocksOf = (file: string, page: string): readonly Block[] =>
	[...page.matchAll(/(?:<!-- (?<kind>untested|setup): (?<words>[^\n]*?) -->\n)?```sh\n(?<text>.*?)```/gsu)].map(({groups}) => {
		const {kind, words, text} = groups as {readonly kind?: string; readonly words?: string; readonly text: string};
		return {file, text, untested: kind === 'untested' ? words : undefined, setup: kind === 'setup' ? words! : ''};
	});

/** The commands of a shell line, without variables before them, redirections and comments. */
function ownCommandsIn(line: string): ReadonlyArray<readonly string[]> {
	const words = splitShellWords(line.replace(/(?:^|\s)#.*/u, '').replaceAll(/(?<=\s)[<>]+ ?\S+/g, '')) ?? [];
	const commands: string[][] = [[]];
	for (const word of words) {
		if (['|', '&&', '||', ';'].includes(word)) {
			commands.push([]);
		} else {
			commands.at(-1)!.push(word.replace(/;$/, ''));
		}
	}

	return commands
		.map(each => each.slice(each.findIndex(word => !/^[A-Z_]+=/.test(word))))
		.filter(([program]) => program === 'switchboard')
		.map(each =>
			each
				.slice(1)
				.map(word => word.replace('…', ''))
				.filter(Boolean),
		);
}

test('every command line in the pages and in the help is one that the program takes', async () => {
	const topicLines = (await Promise.all(topics.map(async ({load}) => load())))
		.flat()
		.flatMap(part => (typeof part === 'object' && 'lines' in part ? part.lines : []));
	const pageLines = [...pages].flatMap(([file, page]) => blocksOf(file, page)).flatMap(({text}) => text.split('\n'));
	const inline = [...pages.values(), contributing].flatMap(page =>
		[...page.matchAll(/`(?<line>switchboard [^\n`]+)`/g)].map(({groups}) => groups!['line']!),
	);
	const pipelines = [...pages.values()].flatMap(page =>
		[...page.matchAll(/- run: (?<line>switchboard .+)/g)].map(({groups}) => groups!['line']!),
	);
	const lines = [...topicLines, ...pageLines, ...pipelines, ...inline.filter(line => !/[A-Z[|…]/.test(line.replaceAll(/'[^']*'/g, '')))];
	const commands = lines.flatMap(line => ownCommandsIn(line).map(words => ({line, words})));
	assert.ok(commands.length > 60, String(commands.length));
	const wrong: string[] = [];
	for (const {line, words} of commands) {
		const program = createCommandLine(() => async () => undefined);
		program.configureOutput({writeOut: () => undefined, writeErr: () => undefined});
		program.exitOverride();
		try {
			await program.parseAsync(words.length === 0 ? ['--version'] : words, {from: 'user'});
		} catch (error) {
			const {code = '', message} = error as {readonly code?: string; readonly message: string};
			if (!['commander.version', 'commander.helpDisplayed', 'commander.help'].includes(code)) {
				wrong.push(`${line}: ${message}`);
			}
		}
	}

	assert.deepEqual(wrong, []);
});

suite('the command lines of the pages, as a newcomer types them', () => {
	const blocks = [...pages].flatMap(([file, page]) => blocksOf(file, page));
	test('those that are not run say why', () => {
		assert.deepEqual(
			blocks.filter(({untested}) => untested === '').map(({file}) => file),
			[],
		);
		assert.ok(blocks.some(({untested}) => untested === undefined));
	});

	for (const [file, tested] of Map.groupBy(
		blocks.filter(({untested}) => untested === undefined),
		block => block.file,
	)) {
		test(`${file} can be followed from top to bottom`, async (t: TestContext) => {
			// One service for all commands: a newcomer's starts anew for each, which is tested elsewhere.
			await using served = await startServedHome();
			const {env, home} = served;
			const {folder} = home;
			const programs = path.join(folder, 'node_modules/.bin');
			const printed = await provideProgram(t, {folder: programs, env});
			const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', tested.flatMap(({setup, text}) => [setup, text]).join('\n')], {
				cwd: folder,
				env: {...env, PATH: `${programs}${path.delimiter}${env['PATH']!}`, TMPDIR: temporaryFolder()},
				stdio: ['ignore', 'ignore', 'pipe'],
			});
			const [errors] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
			assert.equal(shell.exitCode, 0, [...printed, errors].join('\n'));
		});
	}
});
