import {assert, Buffer, execFileSync, path, test} from '../helpers/node.ts';
import {mkdirSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {problemsOf, read, stateFolder} from './reading.ts';

const withSource = (source: string): string => `version: 1\nabilities: {a: {source: ${JSON.stringify(source)}}}\n`;

const withPrompt = (file: string): string => `version: 1\nagents: {A: {prompt_file: ${JSON.stringify(file)}}}\n`;

async function sourceOf(text: string, options: Parameters<typeof read>[1]): Promise<string> {
	const {abilities} = await read(text, options);
	return abilities[0]!.sourcePath;
}

async function promptOf(text: string, options: Parameters<typeof read>[1]): Promise<string | undefined> {
	const {agents} = await read(text, options);
	return agents[0]!.prompt;
}

const leaves = (written: string, how = ''): RegExp =>
	new RegExp(String.raw`^home\.yaml:2:\d+: “${written}” leaves the folder of the file${how}: use --allow-outside to allow it\.$`);

/** A folder with the state file, beside a folder that it has no business in. */
function twoFolders() {
	const parent = temporaryFolder();
	const [folder, outside] = [path.join(parent, 'home'), path.join(parent, 'home-outside')];
	for (const each of [folder, outside]) {
		mkdirSync(path.join(each, 'ability'), {recursive: true});
		writeFileSync(path.join(each, 'prompt.md'), `in ${path.basename(each)}`);
	}

	return {folder, outside};
}

test('a path stays in the folder of the file: neither `..`, nor an absolute path, nor a link leads out of it', async () => {
	const {folder, outside} = twoFolders();
	symlinkSync(outside, path.join(folder, 'link'));
	symlinkSync(path.join(outside, 'prompt.md'), path.join(folder, 'prompt-link.md'));
	for (const [written, shown, how] of [
		['../home-outside/ability', String.raw`\.\./home-outside/ability`, ''],
		['..', String.raw`\.\.`, ''],
		[path.join(folder, 'ability'), path.join(folder, 'ability'), ''],
		['link/ability', 'link/ability', ' through a link'],
	] as const) {
		const [problem] = await problemsOf(withSource(written), {folder});
		assert.match(problem ?? '', leaves(shown, how));
	}

	const [problem] = await problemsOf(withPrompt('prompt-link.md'), {folder});
	assert.match(problem ?? '', leaves('prompt-link.md', ' through a link'));
	const [parentProblem] = await problemsOf(withPrompt('../home-outside/prompt.md'), {folder});
	assert.match(parentProblem ?? '', leaves(String.raw`\.\./home-outside/prompt.md`));
});

test('a path that may lead out of the folder is followed', async () => {
	const {folder, outside} = twoFolders();
	symlinkSync(outside, path.join(folder, 'link'));
	const options = {folder, isOutsideAllowed: true};
	const ability = path.join(outside, 'ability');
	assert.deepEqual(
		await Promise.all(['../home-outside/ability', ability, 'link/ability'].map(async written => sourceOf(withSource(written), options))),
		[ability, ability, ability],
	);
	assert.equal(await promptOf(withPrompt('../home-outside/prompt.md'), options), 'in home-outside');
});

test('a link within the folder, and a way out and back, are followed', async () => {
	const {folder} = twoFolders();
	symlinkSync('ability', path.join(folder, 'latest'));
	const ability = path.join(folder, 'ability');
	assert.deepEqual(
		await Promise.all(['latest', './ability/../ability', 'ability/'].map(async written => sourceOf(withSource(written), {folder}))),
		[ability, ability, ability],
	);
	// The folder itself may be reached through a link.
	symlinkSync(folder, path.join(folder, '..', 'home-link'));
	assert.equal(await promptOf(withPrompt('prompt.md'), {folder: path.join(folder, '..', 'home-link')}), 'in home');
});

test('where no paths are allowed, each one is a problem', async () => {
	assert.deepEqual(
		await problemsOf('version: 1\nabilities: {a: {source: lamplighter}}\nagents: {A: {prompt_file: hearth.md}, B: {prompt: hearth.md}}\n', {
			arePathsAllowed: false,
		}),
		[
			'home.yaml:2:25: No paths are allowed here, so neither “abilities” nor “prompt_file” is: give prompts in “prompt”.',
			'home.yaml:3:27: No paths are allowed here, so neither “abilities” nor “prompt_file” is: give prompts in “prompt”.',
		],
	);
});

test('a source must be there, as a folder or a file', async () => {
	const {folder} = twoFolders();
	execFileSync('mkfifo', [path.join(folder, 'pipe')]);
	for (const [written, problem] of [
		['nothing', '“nothing” does not exist.'],
		['prompt.md/ability', '“prompt.md/ability” does not exist.'],
		['pipe', '“pipe” is neither a folder nor a zip.'],
		['a\0b', '“ab” cannot be read (ERR_INVALID_ARG_VALUE).'],
	] as const) {
		assert.deepEqual(await problemsOf(withSource(written), {folder}), [`home.yaml:2:25: ${problem}`]);
	}

	assert.match((await problemsOf(withSource(''), {folder}))[0] ?? '', /^home\.yaml:2:25: A path is empty\.$/);
});

test('a prompt is read from a regular file of UTF-8 text of at most 1 MB, without waiting for a pipe', async () => {
	const {folder} = twoFolders();
	const inFolder = (name: string): string => path.join(folder, name);
	execFileSync('mkfifo', [inFolder('pipe')]);
	symlinkSync('/dev/zero', inFolder('zero'));
	writeFileSync(inFolder('latin'), Buffer.from([0xe9]));
	writeFileSync(inFolder('empty'), ' \n');
	writeFileSync(inFolder('null'), 'a\0b');
	writeFileSync(inFolder('large'), '');
	truncateSync(inFolder('large'), 1024 * 1024 + 1);
	for (const [written, problem] of [
		['nothing', '“nothing” does not exist.'],
		['ability', '“ability” is not a file.'],
		['pipe', '“pipe” is not a file.'],
		['zero', '“zero” is not a file.'],
		['latin', '“latin” is not UTF-8 text.'],
		['empty', "“empty” is empty: for an empty prompt write “prompt: ''”."],
		['null', 'The prompt contains the character U+0000.'],
		['large', '“large” is larger than 1 MB, the limit for a text.'],
	] as const) {
		assert.deepEqual(await problemsOf(withPrompt(written), {folder, isOutsideAllowed: true}), [`home.yaml:2:27: ${problem}`]);
	}

	writeFileSync(inFolder('marked'), '\u{FEFF}Be brief.\r\n');
	assert.equal(await promptOf(withPrompt('marked'), {folder}), 'Be brief.\r\n');
	assert.equal(await promptOf('version: 1\nagents: {A: {prompt: ""}}\n', {folder}), '');
});

test('a small file cannot make a large prompt be read without end', async () => {
	const folder = stateFolder();
	writeFileSync(path.join(folder, 'long.md'), 'x'.repeat(1024 * 1024));
	const agents = Array.from({length: 100}, (_, index) => `  a${index}: {prompt_file: long.md}\n`).join('');
	const problems = await problemsOf(`version: 1\nagents:\n${agents}`, {folder});
	assert.match(problems.at(-1)!, /^home\.yaml: and [67]\d more$/);
	assert.match(problems[0]!, /^home\.yaml:2\d:\d+: The prompts are larger than 16 MB in all\.$/);
});
