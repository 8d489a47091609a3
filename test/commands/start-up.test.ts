import {assert, path, readFile, test} from '../helpers/node.ts';
import {build, type Metafile} from 'esbuild';
import {packageOptions} from '../../source/build/patches.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The packages in the chunks that load with the first one. */
function packagesAtStart({outputs}: Metafile, entryPoint: string): ReadonlySet<string> {
	const [first] = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)!;
	const chunks = new Set<string>();
	const follow = (chunk: string): void => {
		if (outputs[chunk] === undefined || chunks.has(chunk)) {
			return;
		}

		chunks.add(chunk);
		for (const imported of outputs[chunk].imports) {
			if (imported.kind === 'import-statement') {
				follow(imported.path);
			}
		}
	};

	follow(first);
	const files = [...chunks].flatMap(chunk => Object.entries(outputs[chunk]!.inputs));
	return new Set(
		files
			.filter(([, {bytesInOutput}]) => bytesInOutput > 0)
			.map(([file]) => /node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/.exec(file)?.groups?.['name'])
			.filter(name => name !== undefined),
	);
}

test('the command line loads no package that only some commands need', async () => {
	const entryPoint = 'source/commands/command-line.ts';
	const {metafile} = await build({
		...packageOptions,
		absWorkingDir: root,
		entryPoints: [entryPoint],
		outdir: 'dist',
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		jsx: 'automatic',
		metafile: true,
		write: false,
		logLevel: 'error',
	});
	const loaded = packagesAtStart(metafile, entryPoint);
	assert.ok(loaded.has('commander'));
	const heavy = [
		'@modelcontextprotocol/server',
		'diff',
		'fastify',
		'got',
		'ink',
		'kysely',
		'pg',
		'prom-client',
		'react',
		'ssh2',
		'typebox',
		'yaml',
		'yauzl',
		'yazl',
		'zod',
	];
	assert.deepEqual(
		heavy.filter(name => loaded.has(name)),
		[],
	);
});

const programFolder = path.join(root, 'dist');

/** The files of the built program that load with these. */
async function filesWith(...names: readonly string[]): Promise<ReadonlySet<string>> {
	const loaded = new Set<string>();
	const pending = [...names];
	for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
		if (loaded.has(name)) {
			continue;
		}

		loaded.add(name);
		const text = await readFile(path.join(programFolder, name), 'utf8');
		pending.push(...[...text.matchAll(/(?:from|import)\s*"\.\/(?<file>[^"]+)"/g)].map(match => match.groups!['file']!));
	}

	return loaded;
}

/** The files of the built program that one imports as it runs. */
const importedLater = async (name: string): Promise<readonly string[]> =>
	[...(await readFile(path.join(programFolder, name), 'utf8')).matchAll(/import\("\.\/(?<file>[^"]+)"\)/g)].map(
		match => match.groups!['file']!,
	);

test('the program starts from few files, and loads nothing of the commands with the screens', async () => {
	const first = await importedLater('cli.js');
	const [main, openUi, earlyInput, compileCache] = ['main', 'open-ui', 'early-input', 'compile-cache'].map(
		source => first.find(file => file.startsWith(`${source}-`))!,
	);
	const screensMain = (await importedLater(openUi!)).find(file => file.startsWith('main-') && file !== main);
	const version = await filesWith('cli.js');
	const commands = await filesWith('cli.js', compileCache!, main!);
	const screens = await filesWith('cli.js', earlyInput!, compileCache!, openUi!, screensMain!);
	const worker = await filesWith('service-worker.js');
	assert.ok(version.size <= 2, [...version].join(' '));
	assert.ok(commands.size <= 10, [...commands].join(' '));
	assert.ok(screens.size <= 30, [...screens].join(' '));
	assert.deepEqual(
		[version, commands, screens, worker].map(files => files.has('commands.js')),
		[false, true, false, false],
	);
	assert.deepEqual(
		[version, commands, screens, worker].map(files => files.has('shared.js')),
		[false, true, true, true],
	);
});

/** Prints, at the end of a program, which of Node.js's own modules were loaded. */
const tellModules = String.raw`data:text/javascript,process.on("exit",()=>{process.stderr.write("\nloaded "+process.moduleLoadList.join(" "))})`;

test("a command loads none of Node.js's large modules that it has no use for", async () => {
	const {env} = createIsolatedHome();
	const {exitCode, stderr} = await runCommand(['installed', '--json'], {
		env: {
			...env,
			SWITCHBOARD_BASE_URL: 'http://127.0.0.1:1',
			SWITCHBOARD_API_KEY: 'a-key',
			NODE_OPTIONS: `--import=${tellModules.replaceAll('"', '%22').replaceAll(' ', '%20')}`,
		},
	});
	assert.equal(exitCode, 5);
	const loaded = new Set(/\nloaded (?<names>.*)$/.exec(stderr)!.groups!['names']!.split(' '));
	assert.ok(loaded.has('http'));
	assert.deepEqual(
		['sqlite', 'worker_threads', 'http2', 'child_process', 'readline', 'internal/deps/undici/undici'].filter(name => loaded.has(name)),
		[],
	);
});
