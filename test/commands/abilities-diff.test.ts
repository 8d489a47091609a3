import {assert, Buffer, execFileSync, mkdirSync, path, process, symlinkSync, test, type TestContext} from '../helpers/node.ts';
import {codeFiles, ended, json, lastError, openTerminal, readFolderTexts, startLiveLike, writeFolder, runOnTerminal} from './kit.ts';

async function start(
	t: TestContext,
	remote: Readonly<Record<string, string | Uint8Array>>,
	local: Readonly<Record<string, string | Uint8Array>>,
) {
	const live = await startLiveLike(t);
	const {
		home: {folder},
		service,
	} = live;
	service.sources.set(
		21,
		Object.entries(remote).map(([place, content]) => ({path: place, bytes: Buffer.from(content as string)})),
	);
	writeFolder(path.join(folder, 'lamps'), local);
	return {...live, folder};
}

const base = codeFiles('one\ntwo\nthree\n');

test('a folder that is the same is exit 0, without a word, whatever junk it holds', async (t: TestContext) => {
	const {run} = await start(t, base, {...base, '.git/config': 'x'});
	assert.deepEqual(await run(['abilities', 'diff', 'lamps', 'lamps']), ended(0, ''));
	assert.deepEqual(await run(['abilities', 'diff', '21', 'lamps', '--json']), ended(0, json({same: true, files: []})));
});

test('a folder that differs is exit 10 and a unified diff from the service to the folder', async (t: TestContext) => {
	const {run, service} = await start(
		t,
		{...base, 'gone.txt': 'was here\n', 'empty.txt': ''},
		{...codeFiles('one\nTWO\nthree\nfour'), 'new file.txt': 'hello\n', 'blank.txt': ''},
	);
	assert.deepEqual(
		await run(['abilities', 'diff', 'lamps', 'lamps']),
		ended(
			10,
			[
				'diff --git a/blank.txt b/blank.txt',
				'new file mode 100644',
				'diff --git a/empty.txt b/empty.txt',
				'deleted file mode 100644',
				'diff --git a/gone.txt b/gone.txt',
				'deleted file mode 100644',
				'--- a/gone.txt',
				'+++ /dev/null',
				'@@ -1 +0,0 @@',
				'-was here',
				'diff --git a/main.py b/main.py',
				'--- a/main.py',
				'+++ b/main.py',
				'@@ -1,3 +1,4 @@',
				' one',
				'-two',
				'+TWO',
				' three',
				'+four',
				String.raw`\ No newline at end of file`,
				'diff --git a/new file.txt b/new file.txt',
				'new file mode 100644',
				'--- /dev/null',
				'+++ b/new file.txt\t',
				'@@ -0,0 +1 @@',
				'+hello',
				'',
			].join('\n'),
		),
	);
	assert.deepEqual(
		await run(['abilities', 'diff', 'lamps', 'lamps', '--json', '--read-only']),
		ended(
			10,
			json({
				same: false,
				files: [
					{path: 'blank.txt', change: 'added'},
					{path: 'empty.txt', change: 'removed'},
					{path: 'gone.txt', change: 'removed'},
					{path: 'main.py', change: 'changed'},
					{path: 'new file.txt', change: 'added'},
				],
			}),
		),
	);
	assert.ok(service.requests.every(({method}) => method === 'GET'));
});

function isGitHere(): boolean {
	try {
		execFileSync('git', ['--version'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

test('git applies the diff, with tabs, Windows line ends and missing ones', async (t: TestContext) => {
	if (!isGitHere()) {
		t.skip('git is not installed');
		return;
	}

	const remote = {...base, 'windows.txt': 'a\r\nb\r\nc\r\n', 'tabs.py': 'if x:\n\ty = 1\n', 'gone.txt': 'x', 'empty.txt': ''};
	const local = {
		...codeFiles('zero\none\n\ttwo\nthree'),
		'windows.txt': 'a\r\nB\r\nc\n',
		'tabs.py': 'if x:\n\ty = 2  \n',
		'sub/new.txt': 'caf\u{E9}\n',
	};
	const {run, folder} = await start(t, remote, local);
	const {stdout} = await run(['abilities', 'diff', 'lamps', 'lamps']);
	const copy = writeFolder(path.join(folder, 'copy'), remote);
	// Outside of a repository it works like “patch -p1”.
	execFileSync('git', ['apply', '-p1', '--whitespace=nowarn'], {
		cwd: copy,
		input: stdout,
		env: {...process.env, GIT_CEILING_DIRECTORIES: folder},
	});
	assert.deepEqual(readFolderTexts(copy), local);
});

test('binary and very large files are named, not shown', async (t: TestContext) => {
	const {run} = await start(
		t,
		{...base, 'bell.wav': Buffer.from([1, 0, 2])},
		{...base, 'bell.wav': Buffer.from([1, 0, 3]), 'latin.txt': Buffer.from([0xe9, 10]), 'large.txt': 'x\n'.repeat(600_000)},
	);
	assert.deepEqual(
		await run(['abilities', 'diff', 'lamps', 'lamps']),
		ended(
			10,
			[
				'diff --git a/bell.wav b/bell.wav',
				'Binary files a/bell.wav and b/bell.wav differ',
				'diff --git a/large.txt b/large.txt',
				'new file mode 100644',
				'Large files /dev/null and b/large.txt differ',
				'diff --git a/latin.txt b/latin.txt',
				'new file mode 100644',
				'Binary files /dev/null and b/latin.txt differ',
				'',
			].join('\n'),
		),
	);
});

test('texts that have nothing in common are shown as one in place of the other', async (t: TestContext) => {
	const lines = (mark: string): string => Array.from({length: 5000}, (_, index) => `${mark}${index}\n`).join('');
	const {run} = await start(t, {...base, 'words.txt': lines('a')}, {...base, 'words.txt': lines('b')});
	const {stdout, exitCode} = await run(['abilities', 'diff', 'lamps', 'lamps']);
	assert.deepEqual([exitCode, stdout.split('\n').length], [10, 10_005]);
	assert.match(stdout, /\n@@ -1,5000 \+1,5000 @@\n-a0\n/);
});

/** A line that would be a hunk of its own, for another file, if its separators ended lines. */
const hostileLine = ['\v', '\f', '\r', '\u{85}', '\u{2028}', '\u{2029}']
	.flatMap(separator => ['--- /dev/null', '+++ b/.git/hooks/pre-commit', '@@ -0,0 +1 @@', '+boom'].map(line => separator + line))
	.join('');

test('in a pipe the diff has the bytes of the files, and no text can add lines to it', async (t: TestContext) => {
	const remote = {...base, 'words.txt': `\u{FEFF}one\n${hostileLine}\nthree\n`, 'gone.txt': `x${hostileLine}\n\u{1B}[2J\u{200D}\u{202E}`};
	const local = {...codeFiles('one\n'), 'words.txt': `one\n${hostileLine}\nTHREE\u{1B}[0m${'y'.repeat(5000)}\n`};
	const {run, folder} = await start(t, remote, local);
	const {stdout} = await run(['abilities', 'diff', 'lamps', 'lamps']);
	assert.equal(stdout.split('\n').filter(line => line.startsWith('+++ ')).length, 3);
	if (!isGitHere()) {
		t.skip('git is not installed');
		return;
	}

	execFileSync('git', ['apply', '-R', '-p1', '--whitespace=nowarn'], {
		cwd: path.join(folder, 'lamps'),
		input: stdout,
		env: {...process.env, GIT_CEILING_DIRECTORIES: folder},
	});
	assert.deepEqual(readFolderTexts(path.join(folder, 'lamps')), remote);
});

test('on a terminal what is hidden in a line is shown, and the line stays one', async (t: TestContext) => {
	const {env, folder} = await start(t, base, {...base, 'evil.txt': 'a\u{1B}[2Jred\u{202E}\fx\ry\u{2028}z\tw\n'});
	const [exitCode, ...lines] = await runOnTerminal(['abilities', 'diff', 'lamps', 'lamps'], {env, cwd: folder});
	assert.equal(exitCode, 10);
	assert.ok(lines.includes(String.raw`+a\u{1b}[2Jred\u{202e}\u{c}x\u{d}y\u{2028}z     w`), lines.join('\n'));
});

test('on a terminal the diff is in colour, and shows a changed line end', async (t: TestContext) => {
	const {env, folder} = await start(t, base, codeFiles('one\r\ntwo\nthree\n'));
	await using terminal = openTerminal(['abilities', 'diff', 'lamps', 'lamps'], {env, cwd: folder});
	assert.equal((await terminal.exited).exitCode, 10);
	assert.deepEqual(terminal.lines(), [
		'diff --git a/main.py b/main.py',
		'--- a/main.py',
		'+++ b/main.py',
		'@@ -1,3 +1,3 @@',
		'-one',
		'+one^M',
		' two',
		' three',
	]);
	assert.ok(terminal.output.includes('\u{1B}[32m+one^M'));
});

test('what cannot be compared is said so', async (t: TestContext) => {
	const {run, folder} = await start(t, base, base);
	assert.deepEqual(
		await run(['abilities', 'diff', 'nowhere', 'lamps']),
		ended(4, '', 'There is no ability “nowhere”.\nList them with: switchboard abilities\n'),
	);
	assert.deepEqual(await run(['abilities', 'diff', 'lamps', 'nowhere']), ended(2, '', '“nowhere” does not exist.\nCheck the path.\n'));
	mkdirSync(path.join(folder, 'linked'));
	symlinkSync('/etc/passwd', path.join(folder, 'linked', 'main.py'));
	const linked = await run(['abilities', 'diff', 'lamps', 'linked', '--json']);
	assert.deepEqual(
		[linked.exitCode, lastError(linked)],
		[2, {kind: 'refused', message: '“main.py” is a symbolic link. Replace it with the file itself.'}],
	);
	assert.equal((await run(['abilities', 'diff', 'lamps'])).exitCode, 2);
});
