import {assert, Buffer, path, test, type TestContext} from '../helpers/node.ts';
import {codeFiles, openTerminal, runCommand, startLiveLike, startWithState, writeFolder} from './kit.ts';

const yellow = '\u{1B}[33m';

test('colour is forced into a pipe, and the environment and --no-color count in their usual order', async (t: TestContext) => {
	const {env, folder} = await startWithState(t, 'installed: {lamps: off}');
	const colored = async (more: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<boolean> => {
		const {stdout} = await runCommand(['plan', 'home.yaml', ...words], {env: {...env, ...more}, cwd: folder});
		assert.match(stdout, /~ lamps: on → off/);
		return stdout.includes(yellow);
	};

	assert.equal(await colored({}), false);
	for (const more of [{FORCE_COLOR: '1'}, {CLICOLOR_FORCE: '1'}, {FORCE_COLOR: '1', NO_COLOR: '1'}]) {
		assert.equal(await colored(more), true, JSON.stringify(more));
		assert.equal(await colored(more, '--no-color'), false, JSON.stringify(more));
	}

	for (const more of [{CLICOLOR_FORCE: '1', NO_COLOR: '1'}, {CLICOLOR_FORCE: '0'}, {FORCE_COLOR: '0', CLICOLOR_FORCE: '1'}]) {
		assert.equal(await colored(more), false, JSON.stringify(more));
	}
});

test('forced colour leaves tab-separated lines, JSON and YAML as they are', async (t: TestContext) => {
	const {env} = await startLiveLike(t);
	for (const words of [[], ['--json'], ['--format', 'jsonl'], ['--format', 'yaml']]) {
		const [plain, forced] = await Promise.all(
			[{}, {FORCE_COLOR: '1'}].map(async more => runCommand(['installed', ...words], {env: {...env, ...more}})),
		);
		assert.equal(forced!.exitCode, 0);
		assert.deepEqual(forced, plain);
	}
});

test('the plan above the question is in colour', async (t: TestContext) => {
	const {env, folder} = await startWithState(t, 'installed: {lamps: off}');
	await using terminal = openTerminal(['apply', 'home.yaml'], {env, cwd: folder});
	await terminal.waitFor('[y/N]');
	assert.ok(terminal.output.toString().includes(`${yellow}~ lamps: on → off`));
	terminal.press('n', 'enter');
	assert.equal((await terminal.exited).exitCode, 2);
});

test('a terminal shows runs of lines that are the same as one, and a pipe a diff that applies', async (t: TestContext) => {
	const {
		home: {folder},
		service,
		env,
	} = await startLiveLike(t);
	const lines = Array.from({length: 40}, (_, index) => `line ${index + 1}`);
	const textOf = (changed: ReadonlyMap<number, string>) =>
		codeFiles(`${lines.map((line, index) => changed.get(index) ?? line).join('\n')}\n`);
	service.sources.set(
		21,
		Object.entries(textOf(new Map())).map(([place, content]) => ({path: place, bytes: Buffer.from(content)})),
	);
	writeFolder(
		path.join(folder, 'lamps'),
		textOf(
			new Map([
				[9, 'ten'],
				[29, 'thirty'],
			]),
		),
	);
	const words = ['abilities', 'diff', 'lamps', 'lamps'];
	await using terminal = openTerminal(words, {env, cwd: folder, rows: 40});
	assert.equal((await terminal.exited).exitCode, 10);
	assert.deepEqual(
		terminal.screen().filter(line => !line.startsWith(' ') && line !== ''),
		[
			'diff --git a/main.py b/main.py',
			'--- a/main.py',
			'+++ b/main.py',
			'… 6 unchanged lines',
			'-line 10',
			'+ten',
			'… 13 unchanged lines',
			'-line 30',
			'+thirty',
			'… 7 unchanged lines',
		],
	);
	const {stdout} = await runCommand(words, {env, cwd: folder});
	assert.doesNotMatch(stdout, /unchanged/);
	assert.deepEqual(stdout.match(/^@@.*/gm), ['@@ -7,7 +7,7 @@', '@@ -27,7 +27,7 @@']);
});
