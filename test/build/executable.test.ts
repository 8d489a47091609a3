import {assert, before, copyFileSync, mkdirSync, path, readFileSync, renameSync, suite, test, writeFileSync} from '../helpers/node.ts';
import {assertNone} from '../helpers/lists.ts';
import {buildExecutable} from '../../source/build/executable.ts';
import {sampleHomeFolder} from '../../source/service/sample/read-sample-home.ts';
import {abilityFolder} from '../bundle/ability-folder.ts';
import {openUi, says} from '../end-to-end/open-ui.ts';
import {startServe} from '../end-to-end/start-serve.ts';
import {filesIn} from '../helpers/files-in.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand, type Program} from '../helpers/run-command.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

type Executable = {readonly program: Program; readonly folder: string; readonly notices: string};

async function makeExecutable(): Promise<Executable> {
	const builtFolder = temporaryFolder();
	const built = await buildExecutable(builtFolder);
	const folder = temporaryFolder();
	const command = path.join(folder, path.basename(built));
	renameSync(built, command);
	return {program: {command, args: []}, folder, notices: readFileSync(path.join(builtFolder, 'NOTICES.txt'), 'utf8')};
}

/** A home in which there is no program but the one that is run. */
function createPlace() {
	const {
		folder,
		env: {NODE_COMPILE_CACHE: _, ...env},
	} = createIsolatedHome();
	const [cwd, temporary, programs] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
	return {folder, cwd, temporary, env: {...env, PATH: programs, TMPDIR: temporary}};
}

type Place = ReturnType<typeof createPlace>;

const onState = (json: string, name: string): boolean | undefined =>
	(JSON.parse(json) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>).find(record => record.name === name)?.enabled;

suite('the executable, alone in a folder and without Node.js on the path', () => {
	let executable: Executable;
	before(async () => {
		executable = await makeExecutable();
	});

	const executableTest = (
		title: string,
		run: (place: Place, command: (...words: readonly string[]) => ReturnType<typeof runCommand>) => Promise<void>,
	): void => {
		test(title, async () => {
			const place = createPlace();
			await run(place, async (...words) => runCommand(words, {env: place.env, cwd: place.cwd, program: executable.program}));
			// Whatever it did, it wrote into its folders alone.
			const ownFiles = /^(?:config|data|cache|state)\/switchboard\//;
			assertNone(filesIn(place.folder), name => !ownFiles.test(name));
			assert.deepEqual([filesIn(place.cwd), filesIn(place.temporary)], [[], []]);
			assert.deepEqual(filesIn(executable.folder), [path.basename(executable.program.command)]);
		});
	};

	executableTest('it tells its version and its usage, and takes no options of Node.js', async (_, command) => {
		const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {readonly version: string};
		assert.deepEqual(await command('--version'), {stdout: `${version}\n`, stderr: '', exitCode: 0, signal: null});
		const {stdout, stderr, exitCode} = await command('--help');
		assert.match(stdout, /^Usage: switchboard \[options\] \[command\]\n/);
		assert.deepEqual([stderr, exitCode], ['', 0]);
		const refused = await command('--inspect');
		assert.equal(refused.exitCode, 2);
		assert.match(refused.stderr, /Unknown option --inspect/);
	});

	executableTest('it serves the sample home, and its commands list, switch and upload there', async (place, command) => {
		const key = (await command('keys', 'create')).stdout.trim();
		await using service = await startServe(place, ['--port', '0', '--sample'], executable.program);
		const env = {...place.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: key};
		const there = async (...words: readonly string[]) =>
			runCommand([...words, '--json'], {env, cwd: place.cwd, program: executable.program});
		const installed = await there('installed');
		assert.equal(installed.exitCode, 0, installed.stderr);
		assert.equal((JSON.parse(installed.stdout) as readonly unknown[]).length, 12);
		assert.equal(onState(installed.stdout, 'pantry'), true);
		assert.equal(onState((await there('toggle', 'pantry')).stdout, 'pantry'), false);
		assert.equal(onState((await there('installed')).stdout, 'pantry'), false);
		const uploaded = await there('abilities', 'upload', await abilityFolder(), '--category', 'skill', '--description', 'Lamps.');
		assert.equal(uploaded.exitCode, 0, uploaded.stderr);
		const {capability_id: id} = JSON.parse(uploaded.stdout) as {readonly capability_id: number};
		assert.equal((JSON.parse((await there('abilities', 'get', String(id))).stdout) as {readonly name: string}).name, 'lamps');
	});

	executableTest('its sample home is that of the built program', async (place, command) => {
		const other = createIsolatedHome();
		const words = ['export', '--profile', 'local'];
		assert.deepEqual(await command(...words), await runCommand(words, {env: other.env}));
		const pulled = temporaryFolder();
		const {exitCode, stderr} = await runCommand(['abilities', 'pull', 'pantry', pulled, '--force', '--profile', 'local'], {
			env: place.env,
			program: executable.program,
		});
		assert.equal(exitCode, 0, stderr);
		const sample = path.join(sampleHomeFolder, 'abilities/pantry');
		for (const name of ['main.py', 'README.md', '__init__.py']) {
			assert.equal(readFileSync(path.join(pulled, name), 'utf8'), readFileSync(path.join(sample, name), 'utf8'));
		}
	});

	executableTest(
		'its UI starts the bundled service in a thread and switches an ability there, whatever NODE_OPTIONS says',
		async (place, command) => {
			const preload = path.join(temporaryFolder(), 'missing.cjs');
			await using ui = openUi(place, {program: executable.program, env: {NODE_OPTIONS: `--require=${preload}`}});
			await ui.waitFor('live · 9 of 12 on');
			await ui.press('j', 'space').waitFor(says('nightwatch', 'on'));
			await ui.waitFor('live · 10 of 12 on');
			assert.deepEqual(await ui.press('q').exited, {exitCode: 0, signal: undefined});
			assert.equal(onState((await command('installed', '--profile', 'local', '--json')).stdout, 'nightwatch'), true);
		},
	);

	executableTest('it keeps its compiled code in its cache folder, for a quick next start', async (place, command) => {
		await command('installed', '--profile', 'local');
		assert.ok(filesIn(place.folder).some(name => name.startsWith('cache/switchboard/compile-cache/')));
	});

	executableTest('it completes words and speaks with assistants', async (place, command) => {
		assert.equal((await command('completion', 'bash')).stdout, (await runCommand(['completion', 'bash'], {env: place.env})).stdout);
		const request = {
			jsonrpc: '2.0',
			id: 1,
			method: 'initialize',
			params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
		};
		const {stdout} = await runCommand(['mcp', '--profile', 'local'], {
			env: place.env,
			cwd: place.cwd,
			program: executable.program,
			stdin: `${JSON.stringify(request)}\n`,
		});
		assert.equal(
			(JSON.parse(stdout) as {readonly result: {readonly serverInfo: {readonly name: string}}}).result.serverInfo.name,
			'switchboard',
		);
	});

	executableTest('it says what is wrong in a folder that was removed', async place => {
		const script = `mkdir gone && cd gone && rmdir ../gone && exec ${executable.program.command} installed`;
		const {exitCode, stderr} = await runCommand(['-c', script], {
			env: {...place.env, PATH: '/bin:/usr/bin'},
			cwd: place.cwd,
			program: {command: '/bin/sh', args: []},
		});
		assert.equal(exitCode, 3, stderr);
		assert.match(stderr, /^No service is set up\.\n/);
	});

	executableTest('it reads no package.json beside it or above it', async place => {
		const above = temporaryFolder();
		const beside = path.join(above, 'programs');
		mkdirSync(beside);
		const command = path.join(beside, 'switchboard');
		copyFileSync(executable.program.command, command);
		writeFileSync(path.join(above, 'package.json'), '[]');
		writeFileSync(path.join(beside, 'package.json'), '{bad');
		// The service is a thread, which starts in the same way.
		const {exitCode, stderr} = await runCommand(['installed', '--profile', 'local'], {
			env: place.env,
			cwd: beside,
			program: {command, args: []},
		});
		assert.deepEqual([exitCode, stderr], [0, '']);
	});

	executableTest('the licences beside it include that of Node.js', async () => {
		assert.match(executable.notices, /\nink \d+\.\d+\.\d+ \(MIT\)\n/);
		assert.match(executable.notices, /\nNode\.js is licensed for use as follows:\n/);
	});
});
