import {addTo, assert, assertNone, assertSome, copyFileSync, execFileSync, path, process, spawnSync, test} from '../helpers/node.ts';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {buildDebianPackage, buildPackages} from '../../source/build/packages.ts';
import {startProgram} from '../end-to-end/start-serve.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

/** A file system of its own, as dpkg sees it. */
function createRoot(): string {
	const parent = temporaryFolder();
	// Its users reach what they may.
	for (const each of [path.dirname(parent), parent]) {
		chmodSync(each, 0o755);
	}

	const folder = path.join(parent, 'root');
	for (const name of ['etc', 'var/lib/dpkg/info', 'var/lib/dpkg/updates']) {
		mkdirSync(path.join(folder, name), {recursive: true});
	}

	writeFileSync(path.join(folder, 'var/lib/dpkg/status'), '');
	return folder;
}

const libc = 'libc6 (>= 2.28)';

/** The packages of Debian with the libraries that the executable is linked with. */
const libraryPackages: Readonly<Record<string, string>> = {
	'libatomic.so.1': 'libatomic1',
	'libgcc_s.so.1': 'libgcc-s1',
	'libstdc++.so.6': 'libstdc++6',
	'libc.so.6': libc,
	'libdl.so.2': libc,
	'libm.so.6': libc,
	'libpthread.so.0': libc,
};

const isSuperuser = process.getuid?.() === 0;

/** They are made on Debian. */
const skip =
	['dpkg-deb', 'tar', 'xz', 'systemd-sysusers', 'systemd-tmpfiles', 'setpriv'].some(name => !hasProgram(name)) &&
	'They are made on Debian.';

// As quickly as they can. A file of tests has a process of its own.
Object.assign(process.env, {DPKG_DEB_COMPRESSOR_TYPE: 'gzip', DPKG_DEB_COMPRESSOR_LEVEL: '1', XZ_OPT: '-0 -T0'});
const folder = temporaryFolder();
const steps: string[] = [];
const report = addTo(steps);

const files = skip === false ? await buildPackages(folder, report) : [];
const names = files.map(file => path.basename(file));
const debianPackage = files.find(file => file.endsWith('.deb'))!;

test('each step is told before it begins', {skip}, () =>
	assert.deepEqual(steps, ['The executable …', 'The npm file …', 'The archive …', 'The Debian package …', 'Their hashes …']),
);

test('the hashes of the files to install are those in SHA256SUMS, and nothing else is left in the folder', {skip}, () => {
	execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], {cwd: folder});
	assert.equal(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8').split('\n').length - 1, 3);
	assert.deepEqual(readdirSync(folder).toSorted(), [...names, 'NOTICES.txt', 'SHA256SUMS', 'switchboard'].toSorted());
});

test('the archive has the program, its manual, completions, licences and bill of materials', {skip}, async () => {
	const place = temporaryFolder();
	execFileSync('tar', ['-xJf', path.join(folder, names.find(name => name.endsWith('.tar.xz'))!), '-C', place]);
	const [name = ''] = readdirSync(place);
	assert.deepEqual(readdirSync(path.join(place, name)).toSorted(), [
		'CHANGELOG.md',
		'LICENSE',
		'NOTICES.txt',
		'README.md',
		'bom.cdx.json',
		'completions',
		'man',
		'switchboard',
	]);
	const {env} = createIsolatedHome();
	const {stdout, exitCode} = await runCommand(['--version'], {env, program: {command: path.join(place, name, 'switchboard'), args: []}});
	assert.deepEqual([exitCode, name.startsWith(`switchboard-${stdout.trim()}-`)], [0, true]);
});

test('the Debian package depends on every library that the program is linked with', {skip}, () => {
	const dependencies = new Set(
		execFileSync('dpkg-deb', ['--field', debianPackage, 'Depends'], {encoding: 'utf8'})
			.trim()
			.split(/, | \| /),
	);
	const libraries = [
		...execFileSync('ldd', [path.join(folder, 'switchboard')], {encoding: 'utf8'}).matchAll(/^\t(?<library>\S+) => /gm),
	].map(({groups}) => groups!['library']!);
	assert.ok(libraries.length > 3);
	assertNone(libraries, library => !dependencies.has(libraryPackages[library] ?? library));
});

test('the Debian package is installed, runs, is installed over itself, keeps data when it is removed, and takes it when it is purged', {
	skip: skip === false ? !isSuperuser && 'dpkg needs the superuser.' : skip,
}, async () => {
	const place = createRoot();
	const dpkg = (...words: readonly string[]): string =>
		execFileSync('dpkg', [`--root=${place}`, '--force-script-chrootless', '--force-depends', ...words], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'pipe'],
		});
	dpkg('--install', debianPackage);
	assert.match(readFileSync(path.join(place, 'etc/passwd'), 'utf8'), /^switchboard:.*:\/var\/lib\/switchboard:\/usr\/sbin\/nologin$/m);
	assert.equal(existsSync(path.join(place, 'etc/systemd/system')), false, 'A unit is enabled.');
	const [user, group] = /^switchboard:x:(?<user>\d+):(?<group>\d+):/m.exec(readFileSync(path.join(place, 'etc/passwd'), 'utf8'))!.slice(1);
	const command = path.join(place, 'usr/bin/switchboard');
	// As its user, whose data folder is there before the service has ever run.
	const program = {command: 'setpriv', args: [`--reuid=${user}`, `--regid=${group}`, '--clear-groups', command]};
	const data = path.join(place, 'var/lib/switchboard');
	const env = {PATH: process.env['PATH'], HOME: data, XDG_DATA_HOME: path.dirname(data)};
	const key = await runCommand(['keys', 'create'], {env, program});
	assert.deepEqual([key.exitCode, key.stdout.length > 20], [0, true], key.stderr);
	for (const file of [
		'man/man1/switchboard.1.gz',
		'bash-completion/completions/switchboard',
		'zsh/vendor-completions/_switchboard',
		'fish/vendor_completions.d/switchboard.fish',
		'doc/switchboard/copyright',
	]) {
		assert.ok(existsSync(path.join(place, 'usr/share', file)), file);
	}

	for (const name of ['switchboard', 'switchboard-ssh']) {
		const unit = readFileSync(path.join(place, `usr/lib/systemd/system/${name}.service`), 'utf8');
		assert.match(unit, /^ExecStart=\/usr\/bin\/switchboard (?:ssh-)?serve/m);
		assert.doesNotMatch(unit, /useradd|daemon-reload/);
	}

	dpkg('--install', debianPackage);
	const listed = await runCommand(['keys', 'list', '--json'], {env, program});
	assert.equal((JSON.parse(listed.stdout) as readonly unknown[]).length, 1);
	dpkg('--remove', 'switchboard');
	assert.deepEqual([existsSync(path.join(data, 'switchboard.db')), existsSync(command)], [true, false]);
	dpkg('--purge', 'switchboard');
	assert.equal(existsSync(data), false);
});

test('lintian finds nothing to say of the package around the executable', {
	skip: skip === false ? !hasProgram('lintian') && 'There is no lintian.' : skip,
}, async () => {
	// Reading all of Node.js takes it half a minute.
	const place = temporaryFolder();
	const executable = path.join(place, 'switchboard');
	copyFileSync('/bin/true', executable);
	copyFileSync(path.join(folder, 'NOTICES.txt'), path.join(place, 'NOTICES.txt'));
	const small = await buildDebianPackage(place, temporaryFolder(), executable);
	const {stdout, stderr} = spawnSync('lintian', ['--allow-root', small], {encoding: 'utf8', env: {...process.env, LC_ALL: 'C.UTF-8'}});
	assert.deepEqual([stdout, stderr.replaceAll(/^warning: .*root privileges.*\n/gm, '')], ['', '']);
});

test('the container file is short, runs as an ordinary user, keeps its data in a volume, and asks the service whether it is well', async () => {
	const lines = readFileSync(path.join(root, 'Containerfile'), 'utf8').trim().split('\n');
	assert.ok(lines.length <= 15);
	for (const instruction of [/^USER switchboard$/, /^VOLUME \/data$/, /^CMD .*"--data", "\/data"/]) {
		assertSome(lines, line => instruction.test(line), String(instruction));
	}

	const [command = '', ...words] = JSON.parse(
		lines.find(line => line.startsWith('HEALTHCHECK '))!.replace(/^HEALTHCHECK CMD /, ''),
	) as readonly string[];
	await using service = await startProgram(createIsolatedHome(), ['serve', '--port', '0']);
	const {port} = new URL(service.baseAddress);
	const check = (): number | null =>
		spawnSync(
			command,
			words.map(word => word.replace('8787', port)),
		).status;
	assert.equal(check(), 0);
	await service.stop('SIGTERM');
	assert.notEqual(check(), 0);
});
