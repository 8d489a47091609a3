import {assert, assertMapped, chmodSync, path, process, readFileSync, test, writeFileSync} from '../helpers/node.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {findEditor, runEditor} from '../../source/terminal/external-editor.ts';
import {splitShellWords} from '../../source/platform/shell-word.ts';
import {temporaryFolder} from '../tui/helpers/kit.ts';

/** A program that writes its arguments as JSON to the given file. */
function argumentWriter(folder: string, name = 'editor.mjs'): string {
	const script = path.join(folder, name);
	writeFileSync(
		script,
		"import {writeFileSync} from 'node:fs';\nwriteFileSync(process.argv.at(-1), JSON.stringify(process.argv.slice(2)));\n",
	);
	return script;
}

const quoted = (text: string): string => `'${text}'`;

test('a command line is split into words as a shell does', () => {
	const cases: ReadonlyArray<readonly [string, readonly string[] | undefined]> = [
		['vi', ['vi']],
		['  code   --wait\t-n ', ['code', '--wait', '-n']],
		['"/opt/my editor/bin" -f', ['/opt/my editor/bin', '-f']],
		[String.raw`/opt/my\ editor/bin`, ['/opt/my editor/bin']],
		['emacs --eval=\'(setq x "y")\'', ['emacs', '--eval=(setq x "y")']],
		[String.raw`a"b c"'d e'\ f ''`, ['ab cd e f', '']],
		[String.raw`"a\"b" "a\nb" 'a\nb'`, ['a"b', String.raw`a\nb`, String.raw`a\nb`]],
		['ed; rm -rf $HOME `x` *', ['ed;', 'rm', '-rf', '$HOME', '`x`', '*']],
		['', []],
		['vi "no end', undefined],
		["it's", undefined],
		['vi \\', undefined],
	];
	assertMapped(cases, ([line]) => [line, splitShellWords(line)], cases);
});

test('VISUAL takes precedence over EDITOR, and a blank one is ignored', () => {
	assert.deepEqual(findEditor({VISUAL: 'code --wait', EDITOR: 'ed'}, 'linux'), {program: 'code', args: ['--wait'], variable: 'VISUAL'});
	assert.deepEqual(findEditor({VISUAL: ' ', EDITOR: 'ed -p "my prompt"'}, 'linux'), {
		program: 'ed',
		args: ['-p', 'my prompt'],
		variable: 'EDITOR',
	});
	assert.equal(findEditor({EDITOR: ' '}, 'linux'), undefined);
	assert.equal(findEditor({}, 'linux'), undefined);
	assert.deepEqual(findEditor({EDITOR: String.raw`"C:\my tools\vim.exe" -n`}, 'win32'), {
		program: String.raw`C:\my tools\vim.exe`,
		args: ['-n'],
		variable: 'EDITOR',
	});
});

test('the editor that npm sets by itself counts for none', () => {
	const npm = {npm_lifecycle_event: 'start'};
	assert.equal(findEditor({...npm, EDITOR: 'vi'}, 'linux'), undefined);
	assert.equal(findEditor({...npm, EDITOR: 'notepad.exe'}, 'win32'), undefined);
	assert.equal(findEditor({...npm, EDITOR: 'nano'}, 'linux')?.program, 'nano');
	assert.equal(findEditor({...npm, EDITOR: 'vi', VISUAL: 'vi'}, 'linux')?.variable, 'VISUAL');
	assert.equal(findEditor({EDITOR: 'vi'}, 'linux')?.program, 'vi');
});

test('a variable that is not a valid command is reported with what to set', () => {
	for (const value of ['vi "no end', '""']) {
		assert.throws(() => findEditor({EDITOR: value}, 'linux'), {
			kind: 'usage',
			message: `EDITOR is not a valid command: “${value}”.`,
			nextStep: 'Set VISUAL or EDITOR to your editor, with its arguments.',
		});
	}
});

test('the editor gets its arguments unchanged, then the file, without a shell', async () => {
	const folder = temporaryFolder();
	const file = path.join(folder, 'prompt $(touch harmed) .md');
	const line = `${quoted(process.execPath)} ${quoted(argumentWriter(folder, 'my editor.mjs'))} -n '$HOME; touch harmed' "two words"`;
	await runEditor(findEditor({EDITOR: line}, 'linux')!, file);
	assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), ['-n', '$HOME; touch harmed', 'two words', file]);
});

test('the editor gets no API keys of the environment', async t => {
	setVariables(t, {
		SWITCHBOARD_API_KEY: 'a-key-0123456789',
		OPENHOME_API_KEY: 'a-key-0123456789',
		OPENHOME_JWT: 'a-key-0123456789',
		SWITCHBOARD_DATABASE_URL: 'postgres://user:a-key-0123456789@db.example.com/home',
		OTHER: 'kept',
	});
	const folder = temporaryFolder();
	const script = path.join(folder, 'editor.mjs');
	writeFileSync(script, "import {writeFileSync} from 'node:fs';\nwriteFileSync(process.argv.at(-1), JSON.stringify(process.env));\n");
	const file = path.join(folder, 'prompt.md');
	await runEditor({program: process.execPath, args: [script], variable: 'EDITOR'}, file);
	const text = readFileSync(file, 'utf8');
	assert.ok(!text.includes('a-key-0123456789'));
	assert.match(text, /"OTHER":"kept"/);
});

for (const [what, code, end] of [
	['fails is reported with its exit code', 'process.exit(3)', 'exit code 3'],
	['is killed is reported with the signal', 'process.kill(process.pid, "SIGKILL")', 'SIGKILL'],
] as const) {
	test(`an editor that ${what}`, async () => {
		const editor = findEditor({EDITOR: `${quoted(process.execPath)} -e '${code}'`}, 'linux')!;
		await assert.rejects(runEditor(editor, 'prompt.md'), {kind: 'unexpected', message: `${process.execPath} ended with ${end}.`});
	});
}

test('a missing editor is reported with the variable that names it', async () => {
	const program = path.join(temporaryFolder(), 'nowhere');
	await assert.rejects(runEditor(findEditor({VISUAL: `${quoted(program)} -f`}, 'linux')!, 'prompt.md'), {
		kind: 'usage',
		message: `Editor not found: ${program} (set in VISUAL).`,
		nextStep: 'Set VISUAL or EDITOR to your editor, with its arguments.',
	});
});

test('a file without execute permission is refused as an editor', {skip: process.platform === 'win32'}, async () => {
	const program = argumentWriter(temporaryFolder());
	chmodSync(program, 0o600);
	await assert.rejects(runEditor(findEditor({EDITOR: quoted(program)}, 'linux')!, 'prompt.md'), {
		kind: 'usage',
		message: `Permission denied to run ${program} (set in EDITOR).`,
	});
});
