import {assert, assertNone, path, readFile, spawnSync, test, type TestContext} from '../helpers/node.ts';
import {gunzipSync} from 'node:zlib';
import type {Command} from 'commander';
import {manualPage, roffText} from '../../source/build/manual.ts';
import {createCommandLine} from '../../source/commands/command-line.ts';
import {pathOf, subcommandsOf} from '../../source/commands/command-tree.ts';
import {topics} from '../../source/commands/help.ts';

const root = path.resolve(import.meta.dirname, '../..');

const program = createCommandLine(() => async () => undefined);

const page = await manualPage('1.2.3');

const isFormatterHere = spawnSync('groff', ['--version']).error === undefined;

/** The page as `man` shows it on a terminal of this width, without bold and underlined letters; it may say nothing else. */
function show(source: string, width: number): readonly string[] {
	const {status, stdout, stderr} = spawnSync('groff', ['-ww', '-man', '-Tutf8', '-P-c', '-P-b', '-P-u', `-rLL=${width}n`], {
		input: source,
		encoding: 'utf8',
	});
	assert.deepEqual([status, stderr], [0, '']);
	return stdout.replaceAll(/\u{1B}\[\d*m/gu, '').split('\n');
}

const allCommands = (command: Command): readonly Command[] =>
	subcommandsOf(command).flatMap(subcommand => [subcommand, ...allCommands(subcommand)]);

test('the manual page has every command with its options, and every topic of the help', async (t: TestContext) => {
	if (!isFormatterHere) {
		t.skip('There is no groff here');
		return;
	}

	const lines = show(page, 200);
	const starts = lines.map((line, index) => ({line, index})).filter(({line}) => /^ {0,3}\S/.test(line));
	for (const command of allCommands(program)) {
		const at = starts.findIndex(({line}) => line === `   ${pathOf(command)}`);
		assert.notEqual(at, -1, pathOf(command));
		const part = lines.slice(starts[at]!.index, starts[at + 1]!.index);
		assertNone(command.options, ({hidden, long}) => !hidden && part.every(line => !line.includes(long!)), pathOf(command));
		assert.ok(part.includes('       Examples:'), pathOf(command));
	}

	const words = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('…', '...');
	const all = words(lines.join(' '));
	for (const {name, load} of topics) {
		const paragraphs = (await load()).filter(part => typeof part === 'string');
		assertNone(paragraphs, text => !all.includes(words(text)), name);
	}
});

test('the manual page has its headings, and what is typed on lines of its own', (t: TestContext) => {
	if (!isFormatterHere) {
		t.skip('There is no groff here');
		return;
	}

	const lines = show(page, 80);
	const headings = lines.filter(line => /^[A-Z]/.test(line)).slice(1);
	assert.deepEqual(headings.slice(0, 4), ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS']);
	assert.ok(['ENVIRONMENT', 'EXIT STATUS', 'FILES'].every(heading => headings.includes(heading)));
	assert.equal(headings.at(-1), 'SEE ALSO');
	assert.ok(lines.includes('         switchboard agents edit Hearth --prompt-file prompt.md'));
});

test('a text is shown as it was written, whatever roff would make of it', (t: TestContext) => {
	const texts = [
		'.TH at the start of a line',
		"'br too",
		String.raw`a \fBbackslash\fR and \n and \\ and \(bu`,
		'--dry-run, a-b, `x`, "y", \'z\', ^ and ~',
		'“quoted” – … → × é 長',
		'\\',
	];
	assert.ok(texts.every(text => /^[ -~]+$/.test(roffText(text))));
	if (!isFormatterHere) {
		t.skip('There is no groff here');
		return;
	}

	const shown = new Set(
		show(['.TH X 1', '.SH Y', '.nf', ...texts.map(text => roffText(text)), ''].join('\n'), 200).map(line => line.trim()),
	);
	assert.deepEqual(
		texts.map(text => text.replace('…', '...')).filter(text => !shown.has(text)),
		[],
	);
});

test('a formatter of another kind has nothing to say against the page', (t: TestContext) => {
	if (spawnSync('mandoc', ['-V']).error !== undefined) {
		t.skip('There is no mandoc here');
		return;
	}

	const {stdout} = spawnSync('mandoc', ['-Tlint', '-Wwarning'], {input: page, encoding: 'utf8'});
	// The day of the build would make each build another one.
	assertNone(stdout.split('\n'), line => line !== '' && !line.includes('missing date'));
});

test('the package brings the page that is made from its commands', async () => {
	const {version, man} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {version: string; man: readonly string[]};
	// The installation for all users links a list; a name alone it passes over.
	assert.deepEqual(man, ['./dist/man/switchboard.1.gz']);
	assert.equal(gunzipSync(await readFile(path.join(root, man[0]!))).toString(), await manualPage(version));
});
