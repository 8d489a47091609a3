import {assert, path, process, spawnSync, test} from '../helpers/node.ts';
import {copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {nodePackages} from '../../source/platform/old-node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Writes files, with the folders that they need. */
function write(project: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		const file = path.join(project, name);
		mkdirSync(path.dirname(file), {recursive: true});
		writeFileSync(file, text, {mode: 0o755});
	}
}

const build = String.raw`
	import {mkdirSync, writeFileSync} from 'node:fs';
	mkdirSync('dist', {recursive: true});
	writeFileSync('dist/cli.js', '#!/bin/sh\necho ' + process.argv[2], {mode: 0o755});
`;

/** A checkout with the part that prepares it. What stands for its build writes a program. */
function checkout(files: Readonly<Record<string, string>> = {}): string {
	const project = temporaryFolder();
	write(project, {'package.json': JSON.stringify({type: 'module'}), 'source/build/build.ts': build, ...files});
	for (const name of ['prepare.js', 'runtime/package.json']) {
		const copy = path.join(project, 'source/build', name);
		mkdirSync(path.dirname(copy), {recursive: true});
		copyFileSync(path.join(root, 'source/build', name), copy);
	}

	return project;
}

function prepare(
	project: string,
	{options = [], env = {}}: {readonly options?: readonly string[]; readonly env?: Readonly<Record<string, string>>} = {},
): {readonly status: number | null; readonly output: string} {
	const {status, stdout, stderr} = spawnSync(process.execPath, [...options, path.join(project, 'source/build/prepare.js')], {
		cwd: project,
		env,
		encoding: 'utf8',
	});
	return {status, output: stdout + stderr};
}

const esbuild = {'node_modules/esbuild/package.json': '{}'};

test('an installation without development dependencies says in one sentence that nothing was built', () => {
	const {status, output} = prepare(checkout());
	assert.equal(status, 1);
	assert.match(output, /^Switchboard is not built: .*Run npm ci without --omit=dev.*\n$/);
});

test('where npm leaves them out for a git address, it says how to install that globally', () => {
	const {status, output} = prepare(checkout(), {env: {npm_config_global: 'true'}});
	assert.equal(status, 1);
	assert.match(
		output,
		/^Switchboard is not built: .*Pack it first: npm pack ADDRESS, then npm install --global \.\/switchboard-tui-\*\.tgz\.\n$/,
	);
});

test('an installation without development dependencies leaves a built program as it is', () => {
	const project = checkout({'dist/cli.js': 'built before'});
	assert.deepEqual(prepare(project), {status: 0, output: ''});
	assert.equal(readFileSync(path.join(project, 'dist/cli.js'), 'utf8'), 'built before');
});

const pretendOldNode = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

test('an installation without development dependencies says on an old Node.js that what is built needs a newer one', () => {
	const {status, output} = prepare(checkout({'dist/cli.js': 'built before'}), {options: ['--import', pretendOldNode]});
	assert.equal(status, 1);
	assert.match(output, /^Switchboard needs Node\.js 24 or newer; this is 20\.1\.0\. Its own .* run npm ci without --omit=dev\.\n$/);
});

test('on an old Node.js without one from npm it says that a newer one is needed', () => {
	const {status, output} = prepare(checkout(esbuild), {options: ['--import', pretendOldNode]});
	assert.equal(status, 1);
	assert.match(output, /^Switchboard needs Node\.js 24 or newer; this is 20\.1\.0\. npm installed none for \w+ \w+\. .*\n$/);
});

test('after an installation the program is built, and its command and Node.js are where npm looks for commands', {
	skip: process.platform === 'win32',
}, () => {
	const project = checkout(esbuild);
	const runtime = nodePackages[`${process.platform}-${process.arch}`];
	if (runtime !== undefined) {
		const program = path.join(project, 'node_modules', runtime, 'bin/node');
		mkdirSync(path.dirname(program), {recursive: true});
		symlinkSync(process.execPath, program);
	}

	assert.deepEqual(prepare(project), {status: 0, output: ''});
	const commands = path.join(project, 'node_modules/.bin');
	assert.equal(spawnSync(path.join(commands, 'switchboard'), {encoding: 'utf8'}).stdout, '--if-needed\n');
	if (runtime !== undefined) {
		assert.equal(spawnSync(path.join(commands, 'node'), ['--version'], {encoding: 'utf8'}).stdout, `${process.version}\n`);
	}

	assert.deepEqual(prepare(project), {status: 0, output: ''}, 'the second time');
});

/** A checkout without packages, with the project's own scripts for npm, which asks no registry. */
function npmIn(): {
	readonly project: string;
	readonly npm: (program: 'npm' | 'npx', ...words: readonly string[]) => {readonly status: number | null; readonly output: string};
} {
	const {scripts, bin} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
		readonly scripts: object;
		readonly bin: object;
	};
	const described = {name: 'switchboard-tui', version: '0.1.0'};
	const project = checkout({
		'package.json': JSON.stringify({...described, type: 'module', bin, scripts}),
		'package-lock.json': JSON.stringify({...described, lockfileVersion: 3, requires: true, packages: {'': {...described, bin}}}),
	});
	const {
		env: {PATH = '', ...env},
	} = createIsolatedHome();
	// The tests themselves run with a built program on the path.
	const outside = PATH.split(path.delimiter)
		.filter(folder => !folder.startsWith(root))
		.join(path.delimiter);
	return {
		project,
		npm(program, ...words) {
			const {status, stdout, stderr} = spawnSync(program, ['--offline', '--yes', ...words], {
				cwd: project,
				env: {...env, PATH: outside},
				encoding: 'utf8',
				shell: process.platform === 'win32',
			});
			return {status, output: stdout + stderr};
		},
	};
}

test('npm ci says in a checkout why nothing was built', () => {
	const {npm} = npmIn();
	const {status, output} = npm('npm', 'ci');
	assert.equal(status, 1);
	assert.match(output, /Switchboard is not built: /);
});

test('npx runs the program of the checkout also if it was tried before there was one', {skip: process.platform === 'win32'}, () => {
	const {project, npm} = npmIn();
	assert.notEqual(npm('npx', 'switchboard').status, 0);
	write(project, esbuild);
	assert.deepEqual(prepare(project), {status: 0, output: ''});
	assert.deepEqual(npm('npx', 'switchboard'), {status: 0, output: '--if-needed\n'});
});
