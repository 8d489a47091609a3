import {assert, existsSync, execFileSync, path, test, type TestContext} from '../helpers/node.ts';
import {mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {categories} from '../../source/interface/categories.ts';
import {createIsolatedHome, ended, json, lastError, parseJson, runCommand, startLiveLike, writeFolder, runOnTerminal} from './kit.ts';

/** A home without a service: nothing is asked of one. */
function createHome() {
	const {env, folder} = createIsolatedHome();
	return {
		env,
		folder,
		place: (...parts: readonly string[]) => path.join(folder, ...parts),
		run: async (...words: readonly string[]) => runCommand(['abilities', ...words], {env, cwd: folder}),
	};
}

const found = 'Found nothing that the service is known to refuse';

const filesByCategory: Readonly<Record<string, readonly string[]>> = {
	skill: ['__init__.py', 'main.py', 'README.md'],
	brain_skill: ['__init__.py', 'main.py', 'README.md'],
	background_daemon: ['__init__.py', 'main.py', 'background.py', 'README.md'],
	local: ['__init__.py', 'main.py', 'devkit_functions.py', 'README.md'],
};

test('a new ability of each category has nothing to complain of', async () => {
	const {run, place} = createHome();
	for (const category of categories) {
		const folder = `abilities/night-lamp_${category.replaceAll('_', '')}`;
		const written = await run('new', folder, '--category', category, '--json');
		const name = path.basename(folder).replaceAll(/[-_]/g, '');
		assert.deepEqual(written, ended(0, json({folder, name, category, files: filesByCategory[category]})));
		assert.deepEqual(readdirSync(place(folder)).toSorted(), [...filesByCategory[category]!].toSorted());
		assert.deepEqual(await run('check', folder), ended(0, '', `${found}.\n`));
	}

	assert.deepEqual(
		await run('check', 'abilities/night-lamp_skill', '--json'),
		ended(0, json([{folder: 'abilities/night-lamp_skill', ok: true, findings: []}])),
	);
});

test('a new ability is Python, whatever its folder is called', {skip: !hasPython()}, async () => {
	const {run, place} = createHome();
	for (const folder of ['日本語', '2 lamps', "it's \"'", 'x'.repeat(200), 'class', 'é-lamp']) {
		assert.equal((await run('new', folder, '--category', 'daemon')).exitCode, 0, folder);
		const files = ['main.py', 'background.py'].map(file => place(folder, file));
		execFileSync('python3', ['-c', 'import ast, sys\nfor f in sys.argv[1:]: ast.parse(open(f, encoding="ascii").read())', ...files]);
	}
});

function hasPython(): boolean {
	try {
		execFileSync('python3', ['--version'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

test('new writes to an empty folder only, and a dry run to none', async () => {
	const {run, place} = createHome();
	mkdirSync(place('empty'));
	assert.equal((await run('new', 'empty')).stdout, '__init__.py\tadded\nmain.py\tadded\nREADME.md\tadded\n');
	const again = await run('new', 'empty', '--json');
	assert.deepEqual([again.exitCode, lastError(again).kind], [2, 'conflict']);
	writeFolder(place('hidden'), {'.git/config': 'x'});
	mkdirSync(place('elsewhere'));
	symlinkSync(place('elsewhere'), place('link'));
	writeFileSync(place('file'), 'x');
	for (const [folder, message] of [
		['hidden', /“hidden” is not empty: it holds “\.git”\. Nothing was written\./],
		['link', /link” is a symbolic link/],
		['file', /file” is not a folder/],
		['', /The name of the folder is empty/],
	] as const) {
		const refused = await run('new', folder);
		assert.equal(refused.exitCode, 2, folder);
		assert.match(refused.stderr, message);
	}

	assert.deepEqual([readdirSync(place('elsewhere')), readdirSync(place('hidden'))], [[], ['.git']]);
	assert.equal((await run('new', 'dry', '--dry-run')).exitCode, 0);
	assert.equal(existsSync(place('dry')), false);
	assert.equal((await run('new', 'magic', '--category', 'magic')).exitCode, 2);
});

/** A folder with an error and warnings. */
const bad = {'main.py': 'import os\nimport socket\nprint("x")\n', '__init__.py': ''};

test('findings have a file and a line, and an error ends the command with 2', async () => {
	const {run, place, env, folder} = createHome();
	writeFolder(place('bad'), bad);
	const {exitCode, stdout, stderr} = await run('check', 'bad');
	assert.equal(exitCode, 2);
	const lines = stdout
		.trim()
		.split('\n')
		.map(line => line.split('\t').slice(0, 5));
	assert.deepEqual(lines, [
		['bad', '', '', 'warning', 'readme'],
		['bad', 'main.py', '', 'warning', 'class'],
		['bad', 'main.py', '2', 'error', 'forbidden-import'],
		['bad', 'main.py', '3', 'warning', 'print'],
	]);
	assert.equal(stderr, '“bad” has 1 error: the service is known to refuse such an ability.\n');
	const asJson = await run('check', 'bad', '--json');
	const [first] = parseJson(asJson.stdout) as [{readonly ok: boolean; readonly findings: readonly unknown[]}];
	assert.equal(first.ok, false);
	assert.deepEqual(first.findings[2], {
		severity: 'error',
		rule: 'forbidden-import',
		file: 'main.py',
		line: 2,
		message: 'The service refuses to import socket. For requests over the network, requests is accepted.',
	});
	assert.deepEqual([asJson.exitCode, lastError(asJson).kind], [2, 'refused']);
	writeFolder(place('bad'), {'main.py': 'print("x")\n'});
	assert.deepEqual(await runOnTerminal(['abilities', 'check', 'bad'], {env, cwd: folder}), [
		0,
		'bad: warning: README.md is missing.',
		'bad/main.py: warning: No class extends MatchingCapability.',
		'bad/main.py:1: warning: Use self.worker.editor_logging_handler instead of print().',
		`${found}; 3 warnings.`,
	]);
});

test('several folders are all checked, and some that failed end the command with 6', async () => {
	const {run, place} = createHome();
	await run('new', 'good');
	writeFolder(place('bad'), {'background.py': ''});
	const {exitCode, stdout, stderr} = await run('check', 'bad', 'nowhere', 'good');
	assert.deepEqual([exitCode, stdout.split('\n').length], [6, 4]);
	assert.match(stdout, /^bad\t\t\terror\tlayout\t__init__\.py is missing/);
	assert.match(stderr, /“nowhere” does not exist\..*\n2 of 3 folders failed\.\n/s);
	const items = parseJson((await run('check', 'good', 'nowhere', '--json')).stdout) as ReadonlyArray<Readonly<Record<string, unknown>>>;
	assert.deepEqual(items, [
		{folder: 'good', ok: true, findings: []},
		{folder: 'nowhere', ok: false, findings: [], error: {kind: 'refused', message: '“nowhere” does not exist. Check the path.'}},
	]);
	assert.equal((await run('check', '')).exitCode, 2);
	symlinkSync('nowhere', place('good/link'));
	assert.match((await run('check', 'good', 'bad')).stderr, /^“good”: “link” is a symbolic link\./);
});

test('a dry run of an upload tells the findings, and no upload depends on them', async (t: TestContext) => {
	const {run, home} = await startLiveLike(t);
	writeFolder(path.join(home.folder, 'bad'), {...bad, 'main.py': 'x = y.__name__\nimport trace\n'});
	const words = ['abilities', 'upload', 'bad', '--triggers', 'bad lamp'];
	const dry = await run([...words, '--dry-run']);
	assert.equal(dry.exitCode, 0);
	assert.match(dry.stderr, /^bad\/main\.py:2: error: The service refuses to import trace\./m);
	const asJson = await run([...words, '--dry-run', '--json']);
	const {findings} = parseJson(asJson.stdout) as {readonly findings: ReadonlyArray<{readonly rule: string}>};
	assert.deepEqual(
		findings.map(({rule}) => rule),
		['readme', 'class', 'dunder-access', 'forbidden-import'],
	);
	const sent = await run([...words, '--json']);
	assert.doesNotMatch(sent.stderr, /main\.py:2/);
});
