import {assert, Buffer, execFileSync, path, process, test, type TestContext} from '../helpers/node.ts';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {rawZip, type RawEntry} from '../interface/ability-package/raw-zip.ts';
import {runCommand as startProcess} from '../helpers/run-command.ts';
import {
	codeFiles,
	ended,
	isWrite,
	json,
	lastError,
	programFile,
	readFolderTexts,
	type RequestFilter,
	startLiveLike,
	writeFolder,
	jsonError,
	runWithRoom,
} from './kit.ts';

const isSource: RequestFilter = ({path: place}) => place.includes('/template-file/');

const lampsFiles = codeFiles('print(21)\n');

async function start(t: TestContext) {
	const live = await startLiveLike(t);
	const {home, service, run} = live;
	return {
		...live,
		place: (...parts: readonly string[]) => path.join(home.folder, ...parts),
		/** What lies in the folder from which the commands are run, apart from the folders of the home. */
		names: () => readdirSync(home.folder).filter(name => !['config', 'data', 'cache', 'state'].includes(name)),
		/** Pulls `lamps`, for which the service sends these files. */
		async pullHostile(entries: readonly RawEntry[], ...words: readonly string[]) {
			service.failNext({headers: {'content-type': 'application/zip'}, body: rawZip(entries), when: isSource});
			return run(['abilities', 'pull', 'lamps', ...words]);
		},
	};
}

const good: readonly RawEntry[] = [{name: 'main.py', content: 'new'}, {name: '__init__.py'}];

test('the source of an ability is written to a folder of its name, byte for byte', async (t: TestContext) => {
	const {run, place, service} = await start(t);
	const bytes = Buffer.from([0, 255, 13, 10, 10]);
	service.sources.set(21, [...service.sources.get(21)!, {path: 'sounds/deep/bell.wav', bytes}]);
	assert.deepEqual(
		await run(['abilities', 'pull', 'Lamps']),
		ended(0, 'main.py\tadded\n__init__.py\tadded\nsounds/deep/bell.wav\tadded\n'),
	);
	assert.deepEqual(readFileSync(place('lamps/sounds/deep/bell.wav')), bytes);
	assert.equal(readFileSync(place('lamps/main.py'), 'utf8'), 'print(21)\n');
	assert.deepEqual(readdirSync(place('lamps')).toSorted(), ['.openhome.json', '__init__.py', 'main.py', 'sounds']);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('it is written to another folder by an id, which is made with those above it', async (t: TestContext) => {
	const {run, place} = await start(t);
	const result = await run(['abilities', 'pull', '21', 'abilities/lights', '--json', '--read-only']);
	assert.deepEqual(
		result,
		ended(0, json({capability_id: 21, name: 'lamps', folder: 'abilities/lights', files: ['main.py', '__init__.py']})),
	);
	assert.deepEqual(readFolderTexts(place('abilities/lights')), lampsFiles);
});

test('files that are the same are left alone, and junk does not count', async (t: TestContext) => {
	const {run, place} = await start(t);
	writeFolder(place('lamps'), {'main.py': 'print(21)\n', '.git/config': 'x', '__pycache__/main.pyc': 'y'});
	const before = statSync(place('lamps/main.py'), {bigint: true});
	assert.deepEqual(await run(['abilities', 'pull', 'lamps']), ended(0, 'main.py\tunchanged\n__init__.py\tadded\n'));
	const after = statSync(place('lamps/main.py'), {bigint: true});
	assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
	assert.equal(readFileSync(place('lamps/.git/config'), 'utf8'), 'x');
});

test('a folder that holds other files is refused as a whole, and --force overwrites only what differs', async (t: TestContext) => {
	const {run, place} = await start(t);
	const mine = {'main.py': 'mine', 'notes/todo.txt': 'keep'};
	writeFolder(place('lamps'), mine);
	chmodSync(place('lamps/main.py'), 0o750);
	const refused = await run(['abilities', 'pull', 'lamps']);
	assert.deepEqual(
		refused,
		ended(
			2,
			'',
			[
				'“lamps” holds other files. Nothing was written.',
				'“main.py” differs.',
				'“notes/todo.txt” is not part of the ability.',
				'Use --force to overwrite the files that differ; all others stay.',
				'',
			].join('\n'),
		),
	);
	assert.deepEqual(readFolderTexts(place('lamps')), mine);
	assert.equal(lastError(await run(['abilities', 'pull', 'lamps', '--json'])).kind, 'conflict');

	assert.deepEqual(await run(['abilities', 'pull', 'lamps', '--force']), ended(0, 'main.py\tchanged\n__init__.py\tadded\n'));
	assert.deepEqual(readFolderTexts(place('lamps')), {...lampsFiles, 'notes/todo.txt': 'keep'});
	assert.equal(statSync(place('lamps/main.py')).mode % 0o1000, 0o750);
});

test('a link or a pipe in the way is neither followed nor replaced, with --force either', async (t: TestContext) => {
	const {run, place, service, names} = await start(t);
	const more = ['sounds/bell.txt', 'pipe.txt', 'docs/a.txt'].map(file => ({path: file, bytes: Buffer.from('x')}));
	service.sources.set(21, [...service.sources.get(21)!, ...more]);
	mkdirSync(place('outside'));
	writeFileSync(place('outside/target.py'), 'untouched');
	mkdirSync(place('lamps'));
	symlinkSync(place('outside/target.py'), place('lamps/main.py'));
	symlinkSync(place('outside'), place('lamps/sounds'));
	execFileSync('mkfifo', [place('lamps/pipe.txt')]);
	writeFileSync(place('lamps/docs'), 'a file');
	for (const options of [[], ['--force']]) {
		const {exitCode, stderr} = await run(['abilities', 'pull', 'lamps', ...options]);
		assert.equal(exitCode, 2);
		assert.deepEqual(stderr.split('\n').slice(0, 5), [
			'Something is in the way in “lamps”. Nothing was written.',
			'“main.py” is a symbolic link.',
			'“sounds” is a symbolic link.',
			'“pipe.txt” is not a regular file.',
			'“docs” is not a folder.',
		]);
	}

	assert.deepEqual(readFolderTexts(place('outside')), {'target.py': 'untouched'});
	assert.deepEqual(names().toSorted(), ['lamps', 'outside']);
	assert.equal(existsSync(place('lamps/__init__.py')), false);
});

/** Everything that is sent comes back: some of it only on demand. */
const dotFiles = {
	'.env.example': 'plain',
	'sub/.env.sample': 'plain',
	'.env.template': 'plain',
	'.env.dist': 'plain',
	'.flake8': 'plain',
	'.python-version': 'plain',
	'.pylintrc': 'hidden',
	'.config/tool.toml': 'hidden',
	'.flake8.d/x': 'hidden',
	'.env.sample/x': 'hidden',
	'.openhome.json': 'never',
	'sub/.openhome.json': 'never',
	'.gitignore': 'never',
	'.git/config': 'never',
	'sub/.github/x.yml': 'never',
	'.env': 'never',
	'sub/server.pem': 'never',
	'.venv/lib/x.py': 'never',
	'python/pyvenv.cfg': 'never',
	'python/lib/x.py': 'never',
} as const;

const dotNames = (...kinds: readonly string[]): readonly string[] =>
	Object.entries(dotFiles)
		.flatMap(([name, kind]) => (kinds.includes(kind) ? [name] : []))
		.toSorted();

test('a pull writes the files that a push sends, and hidden ones with --hidden', async (t: TestContext) => {
	const {run, place, service} = await start(t);
	const files = {...codeFiles('print(21)\n'), ...Object.fromEntries(Object.keys(dotFiles).map(name => [name, 'x']))};
	writeFolder(place('lamps'), files);
	assert.equal((await run(['abilities', 'push', 'lamps'])).exitCode, 0);
	const sent = service.sources
		.get(21)!
		.map(file => file.path)
		.filter(name => !(name in lampsFiles));
	assert.deepEqual(sent.toSorted(), dotNames('plain', 'hidden'));
	assert.deepEqual(await run(['abilities', 'diff', 'lamps', 'lamps']), ended(0, ''));

	// As another client would have sent it.
	service.sources.set(
		21,
		Object.entries(files).map(([name, content]) => ({path: name, bytes: Buffer.from(content)})),
	);
	const keysLeftOut = 'Left out of the source of lamps: “.env”, which may contain a key or a password, and 4 more.\n';
	assert.deepEqual(await run(['abilities', 'diff', 'lamps', 'lamps']), ended(0, '', keysLeftOut));
	const refused = await run(['abilities', 'pull', 'lamps', 'plain']);
	assert.deepEqual([refused.exitCode, existsSync(place('plain'))], [2, false]);
	const hidden = [...refused.stderr.matchAll(/^“(.*)” is hidden/gm)].map(([, name]) => name!);
	assert.deepEqual(hidden.toSorted(), dotNames('hidden'));
	const pulled = await run(['abilities', 'pull', 'lamps', 'all', '--hidden']);
	assert.deepEqual([pulled.exitCode, pulled.stderr], [0, keysLeftOut]);
	const written = Object.keys(readFolderTexts(place('all'))).filter(name => !(name in lampsFiles));
	assert.deepEqual(written.toSorted(), dotNames('plain', 'hidden'));
	const exported = await run(['export', '--into', 'home', '--sources', '--hidden']);
	assert.equal(exported.exitCode, 0);
	assert.deepEqual(readFolderTexts(place('home/abilities/lamps')), readFolderTexts(place('all')));
	const without = await run(['export', '--into', 'home', '--sources']);
	assert.match(without.stderr, /Left out the source of lamps\. “\.[^”]*” is hidden; use --hidden to write it too\./);
	assert.deepEqual(readFolderTexts(place('home/abilities/lamps')), readFolderTexts(place('all')));
	assert.equal((await run(['export', '--into', 'home', '--hidden'])).exitCode, 2);
});

test('unknown links in a folder are only in the way of a pull without --force', async (t: TestContext) => {
	const {run, place} = await start(t);
	mkdirSync(place('lamps'));
	symlinkSync('/nowhere', place('lamps/link'));
	assert.match((await run(['abilities', 'pull', 'lamps'])).stderr, /\n“link” is not part of the ability\.\n/);
	assert.equal((await run(['abilities', 'pull', 'lamps', '--force'])).exitCode, 0);
});

const hostile: ReadonlyArray<readonly [what: string, entries: readonly RawEntry[], message: RegExp]> = [
	['a path that leads out of the folder', [{name: '../evil.py', content: 'x'}], /points outside its folder/],
	['a link', [{name: 'link', content: '/etc', mode: 0o12_0777}], /“link” is a symbolic link/],
	[
		'a file for a shell',
		[{name: '.bashrc'}, {name: 'sub/.hidden/a.txt'}],
		/begin with a dot, .*\. Nothing was written\.\n“\.bashrc” is hidden\.\n“sub\/\.hidden\/a\.txt” is hidden\.\n.*use --hidden\./,
	],
];

test('a zip that breaks a rule of packages is refused as a whole, with --force too', async (t: TestContext) => {
	const {pullHostile, names} = await start(t);
	for (const [what, entries, message] of hostile) {
		const result = await pullHostile([...good, ...entries], '--force');
		assert.deepEqual([result.exitCode, result.stdout], [2, ''], what);
		assert.match(result.stderr, message);
		assert.deepEqual(names(), [], what);
	}

	const nested = await pullHostile([{name: 'lamps/main.py'}, {name: 'lamps/__init__.py'}]);
	assert.match(nested.stderr, /is in a folder, not at the root/);
	const empty = await pullHostile([]);
	assert.deepEqual([empty.exitCode, names()], [4, []]);
});

test('what is not known, not sent, or not a zip is said so, and nothing is written', async (t: TestContext) => {
	const {run, service, names} = await start(t);
	assert.deepEqual(
		await run(['abilities', 'pull', 'nowhere']),
		ended(4, '', 'There is no ability “nowhere”.\nList them with: switchboard abilities\n'),
	);
	service.failNext({status: 404, headers: {'content-type': 'application/json'}, body: '{"detail": "no"}', when: isSource});
	assert.deepEqual(
		await run(['abilities', 'pull', 'lamps']),
		ended(4, '', 'The service does not send the source of lamps (HTTP 404).\nUse the dashboard instead.\n'),
	);
	service.failNext({headers: {'content-type': 'text/html'}, body: '<h1>Sign in</h1>', when: isSource});
	assert.equal(lastError(await run(['abilities', 'pull', 'lamps', '--json'])).kind, 'unintelligible');
	service.failNext({
		status: 500,
		headers: {'content-type': 'application/json', 'retry-after': '0'},
		body: '{"detail": "no"}',
		times: 3,
		when: isSource,
	});
	assert.equal(lastError(await run(['abilities', 'pull', 'lamps', '--json'])).kind, 'server-error');
	assert.deepEqual(names(), []);
});

test('without a folder the name of the ability is that of the folder, as export names it, as far as a folder can have it', async (t: TestContext) => {
	const {run, service, place} = await start(t);
	for (const [id, name, folder] of [
		[30, '../evil', 'evil'],
		[31, 'Hue Lights', 'Hue Lights'],
		[32, '日本語', '日本語'],
		[33, '🏮', '33'],
		[34, 'hue lights', 'hue lights-34'],
		[35, 'a'.repeat(200), 'a'.repeat(180)],
	] as const) {
		service.abilities.push({id, name, category: 'skill'});
		service.sources.set(id, service.sources.get(21)!);
		const {stdout} = await run(['abilities', 'pull', String(id), '--json']);
		assert.equal((JSON.parse(stdout) as {readonly folder: string}).folder, folder);
		assert.deepEqual(readFolderTexts(place(folder)), lampsFiles);
	}
});

test('a disk without room is exit 5, and neither a half file nor a new folder stays behind', async (t: TestContext) => {
	const {env, home, service, names} = await start(t);
	service.sources.set(21, [...service.sources.get(21)!, {path: 'sounds/bell.wav', bytes: Buffer.alloc(1_000_000, 'x')}]);
	assert.deepEqual(
		await runWithRoom(100, ['abilities', 'pull', 'lamps', '--json'], {env, cwd: home.folder}),
		ended(
			5,
			'',
			jsonError('no-room', 'There is no room to write “sounds/bell.wav”. Nothing was written. Make room on the disk, then try again.'),
		),
	);
	assert.deepEqual(names(), []);
});

test('a dry run prints the files that would be written, and writes none', async (t: TestContext) => {
	const {run, place, names} = await start(t);
	const note = 'Nothing was changed: this was a dry run.\n';
	assert.deepEqual(await run(['abilities', 'pull', 'lamps', '--dry-run']), ended(0, 'main.py\tadded\n__init__.py\tadded\n', note));
	assert.deepEqual(names(), []);
	writeFolder(place('lamps'), {'main.py': 'mine\n'});
	assert.equal((await run(['abilities', 'pull', 'lamps', '--dry-run'])).exitCode, 2);
	assert.deepEqual(
		await run(['abilities', 'pull', 'lamps', '--dry-run', '--force']),
		ended(0, 'main.py\tchanged\n__init__.py\tadded\n', note),
	);
	assert.deepEqual(readFolderTexts(place('lamps')), {'main.py': 'mine\n'});
});

test('a folder without a name is refused, before anything is asked', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(
		await run(['abilities', 'pull', 'lamps', '']),
		ended(2, '', 'The name of the folder is empty. Nothing was written.\nFor the current folder, use: .\n'),
	);
	assert.deepEqual(service.requests, []);
});

test('a folder where the system lets nobody make one is refused', {skip: !existsSync('/proc/self')}, async (t: TestContext) => {
	const {run} = await start(t);
	const refused = await run(['abilities', 'pull', 'lamps', '/proc/lamps/deep']);
	assert.deepEqual(
		refused,
		ended(2, '', '“/proc/lamps/deep” cannot be written: nothing can be made there. Nothing was written.\nChoose another folder.\n'),
	);
});

test('a current folder that was removed is a mistake of use', {skip: process.platform === 'win32'}, async (t: TestContext) => {
	const {env, place} = await start(t);
	mkdirSync(place('gone'));
	const program = {command: 'sh', args: ['-c', 'rmdir ../gone && exec "$0" "$@"', process.execPath, programFile]};
	assert.deepEqual(
		await startProcess(['abilities', 'pull', 'lamps'], {cwd: place('gone'), env: {...process.env, ...env}, program}),
		ended(2, '', 'The current folder does not exist any more.\nChange to another folder.\n'),
	);
});

test('a service that ignores the version offers no earlier source, and nothing is done', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	const lamps = (service.abilities as Array<{id: number; capability_versions?: unknown}>).find(({id}) => id === 21)!;
	lamps.capability_versions = [
		{id: 1, version: '1'},
		{id: 2, version: '2', is_user_enabled: true},
	];
	assert.equal((await run(['abilities', 'versions', 'lamps'])).stdout, '1\t?\t?\n2\tyes\t?\n');
	const refused = await run(['abilities', 'pull', 'lamps', '--version', '1']);
	assert.deepEqual([refused.exitCode, refused.stdout], [4, '']);
	assert.match(refused.stderr, /^Not offered: the service sends only the source in use, not that of version 1 of lamps\./);
	service.failNext({status: 404, times: 9, when: ({path: at}) => at.includes('/enable/release/')});
	const unrestored = await run(['abilities', 'restore', 'lamps', '--version', '1', '--yes']);
	assert.deepEqual([unrestored.exitCode, unrestored.stdout], [4, '']);
	assert.match(unrestored.stderr, /^Not offered: the service can neither use version 1 of lamps again nor send its source\./);
	assert.equal((await run(['abilities', 'pull', 'lamps', '--version', '2'])).exitCode, 0, 'the one in use is the one that is sent');
});
