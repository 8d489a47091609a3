import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
	after,
	before,
	test,
	type TestContext,
} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService, type LiveLikeService} from '../helpers/live-like-service.ts';
import {programFile, runCommand} from '../helpers/run-command.ts';

let home: IsolatedHome;
let service: LiveLikeService;

before(async () => {
	home = await createIsolatedHome();
	service = await startLiveLikeService();
	service.installed = [{id: 1, name: 'Pantry light', enabled: true}, {id: 2, name: 'pantry', enabled: true}, {id: 3, name: 'Twin', enabled: true}, {id: 4, name: 'twin', enabled: false}];
	await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'work'], {env: home.env, stdin: service.apiKey});
	await runCommand(['installed'], {env: home.env});
	await runCommand(['abilities'], {env: home.env});
	// From here on nothing may be asked.
	await service.close();
});

after(async () => {
	await home[Symbol.asyncDispose]();
});

/** The candidates for the last of the words, without their meanings. */
const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
	const {stdout} = await runCommand(['__complete', ...words], {env: home.env});
	return stdout.split('\n').filter(line => line !== '').map(line => line.split('\t', 1)[0]!);
};

test('commands, subcommands and flags are completed', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('pro'), ['profiles']);
	t.assert.deepStrictEqual(await complete('profiles', 'u'), ['use']);
	t.assert.deepStrictEqual(await complete('--profile', 'work', 'keys', 're'), ['revoke']);
	t.assert.deepStrictEqual(await complete('enable', '--al'), ['--all']);
	t.assert.deepStrictEqual(await complete('completion', ''), ['bash', 'zsh', 'fish']);
	t.assert.deepStrictEqual(await complete('help', 'abilities', 'u'), ['upload']);
	t.assert.deepStrictEqual(await complete('serve', '--port', ''), []);
});

test('names come from the lists last seen, an id where a name does not say which, none twice', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('toggle', 'pan'), ['Pantry light', 'pantry']);
	t.assert.deepStrictEqual(await complete('toggle', 'pantry', ''), ['Pantry light', '3', '4']);
	t.assert.deepStrictEqual(await complete('abilities', 'get', 'desk'), ['desk']);
	t.assert.deepStrictEqual(await complete('--profile', ''), ['work', 'local']);
	t.assert.deepStrictEqual(await complete('toggle', '--profile', 'local', ''), []);
	t.assert.deepStrictEqual(await complete('toggle', '--profile', 'nobody', ''), []);
});

test('a value in one word with its option is completed as that word', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('--profile=wo'), ['--profile=work']);
	t.assert.deepStrictEqual(await complete('abilities', 'upload', 'x', '--category=br'), ['--category=brain_skill']);
	t.assert.deepStrictEqual(await complete('--json=t'), []);
	t.assert.deepStrictEqual(await complete('enable', '--', '--profile=wo'), []);
});

const hasProgram = (name: string): boolean => {
	try {
		execFileSync(name, ['-c', 'exit 0'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
};

/** Puts a `switchboard` on the path, as an installation does. */
const pathWithProgram = (): string => {
	const folder = path.join(home.folder, 'bin');
	mkdirSync(folder, {recursive: true});
	writeFileSync(path.join(folder, 'switchboard'), `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`, {mode: 0o755});
	return `${folder}:${process.env['PATH'] ?? ''}`;
};

/** Only what is there can be asked; bash nearly always is. */
const shellsHere = ['bash', 'zsh', 'fish'].filter(shell => hasProgram(shell));

test('bash takes the script, and a name with a space comes as one word', (t: TestContext) => {
	if (!shellsHere.includes('bash')) {
		t.skip('There is no bash here');
		return;
	}

	const script = [
		'source <(switchboard completion bash)',
		'COMP_WORDS=(switchboard enable Pan); COMP_CWORD=2',
		'_switchboard',
		'declare -p COMPREPLY',
	].join('\n');
	const output = execFileSync('bash', ['-c', script], {env: {...home.env, PATH: pathWithProgram()}, encoding: 'utf8'});
	t.assert.match(output, /\[0\]="Pantry\\\\ light" \[1\]="pantry"/);
});

test('bash leaves a name with a space within the quote that was begun', (t: TestContext) => {
	if (!shellsHere.includes('bash')) {
		t.skip('There is no bash here');
		return;
	}

	const completed = (name: string, typed: string): string => {
		const script = [
			'source <(switchboard completion bash)',
			// In place of the program: names with all that a shell might take for its own.
			String.raw`switchboard() { printf '%s\n' "$NAME"; }`,
			'COMP_WORDS=(switchboard enable "$TYPED"); COMP_CWORD=2',
			'_switchboard',
			// As the line would be read: bash adds the closing quote itself.
			'eval "printf %s $QUOTE$COMPREPLY$QUOTE"',
		].join('\n');
		const env = {
			...home.env, PATH: pathWithProgram(), NAME: name, TYPED: typed, QUOTE: /^["']/.exec(typed)?.[0] ?? '',
		};
		return execFileSync('bash', ['-c', script], {env, encoding: 'utf8'});
	};

	const name = 'Pep\'s "light" $HOME `id` \\ (x) & y';
	for (const typed of ['Pe', '"Pe', '\'Pe']) {
		t.assert.strictEqual(completed(name, typed), name);
	}
});

test('bash finds its way past what it takes for words of their own: “=” and “:”', (t: TestContext) => {
	if (!shellsHere.includes('bash')) {
		t.skip('There is no bash here');
		return;
	}

	const ask = (line: string, ...words: readonly string[]): string => {
		const script = [
			'source <(switchboard completion bash)',
			`COMP_LINE='${line}'; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`,
			'_switchboard',
			'declare -p COMPREPLY',
		].join('\n');
		return execFileSync('bash', ['-c', script], {env: {...home.env, PATH: pathWithProgram()}, encoding: 'utf8'}).replace(/^[^(]*/, '').trim();
	};

	t.assert.strictEqual(ask('switchboard --profile=wo', 'switchboard', '--profile', '=', 'wo'), '([0]="work")');
	t.assert.strictEqual(ask('switchboard --profile=', 'switchboard', '--profile', '='), '([0]="work" [1]="local")');
	t.assert.strictEqual(
		ask(`switchboard  --base-url ${service.baseAddress} toggle pantr`, 'switchboard', '--base-url', ...service.baseAddress.split(/(?=:)|(?<=:)/), 'toggle', 'pantr'),
		String.raw`([0]="Pantry\\ light" [1]="pantry")`,
	);
});

test('the shells that are here understand their scripts', (t: TestContext) => {
	const complaints = shellsHere.map(shell => {
		const file = path.join(home.folder, `completion.${shell}`);
		writeFileSync(file, execFileSync(process.execPath, [programFile, 'completion', shell], {env: home.env, encoding: 'utf8'}));
		return execFileSync(shell, ['-n', file], {env: home.env, encoding: 'utf8'});
	});
	t.assert.deepStrictEqual(complaints, shellsHere.map(() => ''));
});
