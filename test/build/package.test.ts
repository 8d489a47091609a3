import {assert, assertNone, assertSome, before, execFileSync, path, process, spawnSync, suite, test} from '../helpers/node.ts';
import {cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {transform} from 'esbuild';
import {packForNpm} from '../../source/build/packages.ts';
import {startProgram, startServe} from '../end-to-end/start-serve.ts';
import {openUi, says} from '../end-to-end/open-ui.ts';
import {filesIn} from '../helpers/files-in.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {nodeProgram, runCommand} from '../helpers/run-command.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Packs what is built, and installs it into an empty prefix. npm's cache is empty and it may not ask a registry: there is nothing to bring. */
async function installPackage() {
	const home = createIsolatedHome();
	const {folder, env} = home;
	const prefix = path.join(folder, 'prefix');
	mkdirSync(prefix);
	const archive = await packForNpm(folder, temporaryFolder());
	execFileSync('npm', ['install', '--global', '--prefix', prefix, archive, '--cache', path.join(folder, 'npm-cache'), '--offline'], {
		cwd: folder,
		env,
		stdio: 'pipe',
	});
	const packagesFolder = path.join(prefix, 'lib/node_modules');
	const file = path.join(prefix, 'bin/switchboard');
	return {
		home,
		archive,
		prefix,
		packagesFolder,
		packageFolder: path.join(packagesFolder, 'switchboard-tui'),
		file,
		program: nodeProgram(file),
	};
}

type Installed = Awaited<ReturnType<typeof installPackage>>;

/** As a Node.js would be that is too old. */
const pretendOldNode = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

suite('the installed package', () => {
	let installed: Installed;

	before(async () => {
		installed = await installPackage();
	});

	test('is one package under 3.65 MB, which needs no other and runs nothing as it is installed', () => {
		const {archive, packagesFolder, packageFolder} = installed;
		assert.deepEqual(
			readdirSync(packagesFolder).filter(name => !name.startsWith('.')),
			['switchboard-tui'],
		);
		const manifest = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as {
			readonly dependencies: object;
			readonly scripts: object;
		};
		assert.deepEqual(manifest.dependencies, {});
		assertNone(Object.keys(manifest.scripts), name => name.endsWith('install') || name === 'prepare');

		const files = filesIn(packageFolder);
		assert.deepEqual([...new Set(files.map(file => file.split('/', 1)[0]!))].toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json']);
		for (const file of [
			'dist/cli.js',
			'dist/service-worker.js',
			'dist/NOTICES.txt',
			'dist/bom.cdx.json',
			'dist/sample-home/abilities/pantry/main.py',
		]) {
			assert.ok(files.includes(file), file);
		}

		const bytes = files.reduce((sum, file) => sum + statSync(path.join(packageFolder, file)).size, 0);
		assert.ok(bytes < 3_650_000, `${bytes} bytes`);
		assert.ok(statSync(archive).size < 1_250_000, `${statSync(archive).size} bytes packed`);
	});

	test('has its command on the path', () => {
		const {home, file} = installed;
		const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {readonly version: string};
		// The first Node.js on the path may be too old.
		const PATH = [path.dirname(process.execPath), home.env['PATH']].join(path.delimiter);
		assert.equal(execFileSync(file, ['--version'], {env: {...home.env, PATH}, encoding: 'utf8'}), `${version}\n`);
	});

	test('serves, and lists and uploads there', async () => {
		const {home, program} = installed;
		const created = await runCommand(['keys', 'create'], {env: home.env, program});
		await using service = await startServe(home, ['--sample', '--port', '0'], program);
		const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: created.stdout.trim()};
		const list = async (): Promise<ReadonlyArray<{readonly name: string; readonly enabled: boolean}>> => {
			const {stdout} = await runCommand(['installed', '--json'], {env, program});
			return JSON.parse(stdout) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>;
		};

		const records = await list();
		assert.equal(records.length, 12);
		assert.equal(records.find(({name}) => name === 'pantry')?.enabled, true);
		// An upload notes in the folder whose ability it is.
		const ability = path.join(temporaryFolder(), 'deskmusic');
		cpSync(path.join(root, 'source/service/sample/home/abilities/deskmusic'), ability, {recursive: true});
		const described = [
			'--name',
			'lamplighter',
			'--category',
			'skill',
			'--description',
			'Lights the lamps',
			'--triggers',
			'light the lamps',
		];
		const uploaded = await runCommand(['abilities', 'upload', ability, ...described, '--json'], {env, program});
		assert.equal(uploaded.exitCode, 0, uploaded.stderr);
		assert.equal((JSON.parse(uploaded.stdout) as {readonly name: string}).name, 'lamplighter');
		const {stdout} = await runCommand(['abilities', '--json'], {env, program});
		assertSome(JSON.parse(stdout) as ReadonlyArray<{readonly name: string}>, ({name}) => name === 'lamplighter', stdout);
	});

	test('serves until npx is ended with SIGTERM, there and in a checkout', {skip: process.platform === 'win32'}, async () => {
		const {home, prefix} = installed;
		// The first Node.js on the path may be too old.
		const PATH = [path.dirname(process.execPath), home.env['PATH']].join(path.delimiter);
		const env = {...home.env, PATH, npm_config_prefix: prefix};
		for (const cwd of [home.folder, root]) {
			const serving = await startProgram({env, cwd}, ['--offline', 'switchboard', 'serve', '--port', '0'], {command: 'npx', args: []});
			assert.equal((await fetch(`${serving.baseAddress}/openapi.json`)).status, 200);
			// Once nobody has its output any more: neither npm nor the service.
			await serving.stop('SIGTERM');
			await assert.rejects(fetch(serving.baseAddress), TypeError);
		}
	});

	test('opens the terminal UI with the service that it brings', async () => {
		const {program} = installed;
		await using ui = openUi(createIsolatedHome(), {program});
		await ui.waitFor('live · 9 of 12 on');
		await ui.press('j', 'space').waitFor(says('nightwatch', 'on'));
		await ui.waitFor('10 of 12 on');
		assert.equal((await ui.press('q').exited).exitCode, 0);
	});

	test('says under an old Node.js which line runs it on a newer one', () => {
		const {home, file, packageFolder} = installed;
		const {stderr, status} = spawnSync(process.execPath, ['--import', pretendOldNode, file, 'agents'], {env: home.env, encoding: 'utf8'});
		assert.equal(status, 1);
		const line =
			/^switchboard needs Node\.js 24 or newer; this is 20\.1\.0\. Run it with one: npx -y -p node[\w-]*@24 node (?<file>\S+) …\n$/.exec(
				stderr,
			);
		assert.equal(line?.groups!['file'], realpathSync(path.join(packageFolder, 'dist/cli.js')), stderr);
	});

	test('names a file of its sample home that is missing, and says what to do', async () => {
		const {home, packageFolder} = installed;
		const damaged = path.join(home.folder, 'damaged');
		cpSync(packageFolder, damaged, {recursive: true});
		rmSync(path.join(damaged, 'dist/sample-home/abilities/pantry/main.py'));
		const {stdout, stderr, exitCode} = await runCommand(['installed', '--profile', 'local', '--json'], {
			env: createIsolatedHome().env,
			program: nodeProgram(path.join(damaged, 'dist/cli.js')),
		});
		assert.deepEqual([exitCode, stdout], [1, '']);
		const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as {readonly error: {readonly kind: string; readonly message: string}};
		assert.equal(error.kind, 'unexpected');
		assert.match(error.message, /^The sample home in .+sample-home cannot be read: .*main\.py is missing.* Install Switchboard again\.$/);
	});
});

test('npm pack leaves out the script for checkouts, and the package.json of the checkout as it was or was edited, also after one that was interrupted', () => {
	const {folder, env} = createIsolatedHome();
	const {scripts, ...rest} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
		readonly scripts: Readonly<Record<string, string>>;
	};
	const prepack = scripts['prepack']!.replace(/^node source\/build\/build\.ts && /, '');
	const manifest = JSON.stringify({...rest, scripts: {...scripts, prepare: 'exit 1', prepack}});
	const file = path.join(folder, 'package.json');
	writeFileSync(file, manifest);
	cpSync(path.join(root, 'source/build/packed-manifest.ts'), path.join(folder, 'source/build/packed-manifest.ts'));
	const {mtimeMs} = statSync(file);
	execFileSync('npm', ['run', 'prepack'], {cwd: folder, env, stdio: 'pipe'});
	assert.notEqual(readFileSync(file, 'utf8'), manifest);
	execFileSync('npm', ['pack', '--offline'], {cwd: folder, env, stdio: 'pipe'});
	assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mtimeMs], [manifest, mtimeMs]);
	const archive = readdirSync(folder).find(name => name.endsWith('.tgz'))!;
	const packed = execFileSync('tar', ['-xzOf', archive, 'package/package.json'], {cwd: folder, encoding: 'utf8'});
	const {prepare: _, ...packedScripts} = (JSON.parse(manifest) as {readonly scripts: Readonly<Record<string, string>>}).scripts;
	assert.deepEqual(JSON.parse(packed), {...rest, scripts: packedScripts});

	// What was written after an interrupted packing is newer than what it kept.
	execFileSync('npm', ['run', 'prepack'], {cwd: folder, env, stdio: 'pipe'});
	const edited = JSON.stringify({...rest, scripts: {...scripts, prepack}, description: 'edited'});
	writeFileSync(file, edited);
	execFileSync('npm', ['pack', '--offline'], {cwd: folder, env, stdio: 'pipe'});
	assert.equal(readFileSync(file, 'utf8'), edited);
});

test('Node.js 14 can read as much of the program as says that it is too old', async () => {
	const readText = (file: string): string => readFileSync(path.join(root, 'dist', file), 'utf8');
	const withImports = (file: string): readonly string[] => [
		file,
		...[...readText(file).matchAll(/\b(?:from|import) ?"\.\/(?<name>[^"]+)"/g)].flatMap(match => withImports(match.groups!['name']!)),
	];
	const explanation = /import\("\.\/(?<name>old-node-[^"]+)"\)/.exec(readText('cli.js'))!.groups!['name']!;
	const files = new Set([...withImports('cli.js'), ...withImports(explanation)]);
	assert.ok(files.size > 2);
	for (const file of files) {
		const [newest, old] = await Promise.all(
			['esnext', 'node14.18'].map(async target => transform(readText(file), {target, format: 'esm'})),
		);
		// What an old one cannot read would be written in another way.
		assert.equal(old!.code, newest!.code, file);
	}
});
