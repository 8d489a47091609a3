import type {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {createReadStream, readFileSync} from 'node:fs';
import {chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {pipeline} from 'node:stream/promises';
import {gzipSync} from 'node:zlib';
import {serviceUnit, sshUnit, timersUnit} from '../commands/help/systemd-units.ts';
import {buildExecutable} from './executable.ts';

const root = path.resolve(import.meta.dirname, '../..');

const bundleFolder = path.join(root, 'dist');

const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {readonly version: string};

/**
Makes the npm file of what is built, from a copy: the project's own files stay as they are.

@returns its path.
*/
export async function packForNpm(folder: string, workFolder: string): Promise<string> {
	const tree = path.join(workFolder, 'npm');
	await mkdir(tree);
	for (const name of ['package.json', 'README.md', 'LICENSE', 'dist']) {
		await cp(path.join(root, name), path.join(tree, name), {recursive: true});
	}

	// As `prepack` does, which would build first.
	execFileSync(process.execPath, [path.join(import.meta.dirname, 'packed-manifest.ts'), 'replace'], {cwd: tree});
	const output = execFileSync('npm', ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', folder], {
		cwd: tree,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const [{filename}] = JSON.parse(output) as [{readonly filename: string}];
	return path.join(folder, filename);
}

/**
Makes the files to install of what is built in `dist/`: the npm file, the executable in an archive and, on Debian, its package; and
`SHA256SUMS` with their hashes.

@param folder - created if it is missing.
@param report - is given a line before each step.
@returns the paths of the files.
*/
export async function buildPackages(folder: string, report: (line: string) => void): Promise<readonly string[]> {
	await mkdir(folder, {recursive: true});
	report('The executable …');
	const executable = await buildExecutable(folder);
	const workFolder = await mkdtemp(path.join(folder, '.packages-'));
	try {
		const tree = path.join(workFolder, 'debian');
		await mkdir(tree);
		report('The npm file …');
		const npmFile = await packForNpm(folder, workFolder);
		report('The archive …');
		const archive = await packArchive(folder, workFolder, `switchboard-${version}-${process.platform}-${process.arch}`, executable);
		report('The Debian package …');
		const debianPackage = await buildDebianPackage(folder, tree, executable);
		const files = [npmFile, archive, debianPackage];
		report('Their hashes …');
		const sums = await Promise.all(files.map(async file => `${await hashOf(file)}  ${path.basename(file)}\n`));
		await writeFile(path.join(folder, 'SHA256SUMS'), sums.join(''));
		return files;
	} finally {
		await rm(workFolder, {recursive: true, force: true});
	}
}

/** Returns the executable with its manual, completion scripts, licences and bill of materials; `xz` reads its own variable (`XZ_OPT`). */
async function packArchive(folder: string, workFolder: string, name: string, executable: string): Promise<string> {
	const tree = path.join(workFolder, name);
	await mkdir(tree, {mode: 0o755});
	const files = [
		executable,
		path.join(path.dirname(executable), 'NOTICES.txt'),
		...['LICENSE', 'README.md', 'CHANGELOG.md'].map(file => path.join(root, file)),
		...['man', 'completions', 'bom.cdx.json'].map(file => path.join(bundleFolder, file)),
	];
	await Promise.all(files.map(async file => cp(file, path.join(tree, path.basename(file)), {recursive: true})));
	const archive = path.join(folder, `${name}.tar.xz`);
	execFileSync('tar', ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '-C', workFolder, '-cJf', archive, name], {
		stdio: 'pipe',
		env: {XZ_OPT: '-6 -T0', ...process.env},
	});
	return archive;
}

async function hashOf(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

const users = ['switchboard', 'switchboard-ssh'];

/** The names of Debian for the processors that Node.js is published for. */
const architectures: Readonly<Record<string, string>> = {x64: 'amd64', arm64: 'arm64'};

/** The first lines of a unit say how to install it: here the package has done so. */
const installedUnit = (unit: string): string =>
	`${unit
		.split('\n')
		.filter(line => !/^#.*(?:useradd|--(?:socket-)?unit >|daemon-reload)/.test(line))
		.join('\n')}\n`;

const sysusers = `${users.map(user => `u ${user} - "Switchboard" /var/lib/${user} /usr/sbin/nologin`).join('\n')}\n`;

/** Their data folders, which the units would make at their first start: keys are created before that, too. */
const dataFolders = `${users.map(user => `d /var/lib/${user} 0700 ${user} ${user} -`).join('\n')}\n`;

/** `DPKG_ROOT` is the root that dpkg installs into (dpkg(1), --force-script-chrootless). */
const afterInstall = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
	systemd-sysusers --root="$DPKG_ROOT/" switchboard.conf
	systemd-tmpfiles --root="$DPKG_ROOT/" --create switchboard.conf
	if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
		systemctl daemon-reload || true
		# One that runs goes on with the new version; none is started.
		systemctl try-restart ${users.map(user => `${user}.service`).join(' ')} || true
	fi
fi
`;

const beforeRemoval = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
	systemctl disable --now ${users.map(user => `${user}.service`).join(' ')} || true
fi
`;

const afterRemoval = `#!/bin/sh
set -e
if [ "$1" = purge ]; then
	# The users stay: another one might get their numbers, and files that are left.
	${users.map(user => `rm -rf "$DPKG_ROOT/var/lib/${user}" "$DPKG_ROOT/var/cache/${user}"`).join('\n\t')}
fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
`;

/** Nobody publishes it under an address yet. */
const maintainer = 'Switchboard maintainers <nobody@localhost>';

/** The complaints that `lintian` need not make, with the reason. */
const overrides = [
	['bogus-mail-host *', 'nobody publishes it under an address yet'],
	['bogus-mail-host-in-debian-changelog *', 'the same'],
	['unstripped-binary-or-object *', 'what is stripped from the executable takes the program in it along'],
	['hardening-no-pie *', 'so is the Node.js in it built'],
	['embedded-library *', 'Node.js is one file'],
	['maintainer-script-calls-systemctl *', 'deb-systemd-invoke has no try-restart'],
] as const;

const description = `Description: terminal UI and commands for people who run voice agents
 See your agents, abilities and installed abilities, and switch an installed
 ability on or off with one key, also over SSH. All operations also run from
 scripts, and a bundled service speaks the same interface.
 .
 The program is one executable with Node.js in it.`;

/** Compressed with no time in it, so that the same sources give the same bytes. */
const zip = (text: string | Uint8Array): Uint8Array => gzipSync(text, {level: 9});

/**
Makes a Debian package (https://www.debian.org/doc/debian-policy/) with `dpkg-deb`, which compresses as its own variables say
(`DPKG_DEB_COMPRESSOR_TYPE`). It starts nothing, and keeps the data when it is removed.

@param workFolder - an empty folder for the tree of the package.
@param executable - has its `NOTICES.txt` beside it.
@returns the path of the package in `folder`.
@throws Error if this is not a platform of Debian, or has no `dpkg-deb`.
*/
export async function buildDebianPackage(folder: string, workFolder: string, executable: string): Promise<string> {
	const architecture = architectures[process.arch];
	if (process.platform !== 'linux' || architecture === undefined) {
		throw new Error(`There is no Debian package for ${process.platform} ${process.arch}.`);
	}

	const put = async (name: string, contents: string | Uint8Array, mode = 0o644): Promise<void> => {
		const file = path.join(workFolder, name);
		await mkdir(path.dirname(file), {recursive: true, mode: 0o755});
		await writeFile(file, contents);
		await chmod(file, mode);
	};

	const read = async (...names: readonly string[]): Promise<Buffer> => readFile(path.join(...names));
	const changelog = String(await read(root, 'CHANGELOG.md'));
	const documents = 'usr/share/doc/switchboard';
	const program = ['/usr/bin/switchboard'];
	await chmod(workFolder, 0o755);
	await mkdir(path.join(workFolder, 'usr/bin'), {recursive: true});
	await cp(executable, path.join(workFolder, 'usr/bin/switchboard'));
	const files: Readonly<Record<string, string | Uint8Array>> = {
		'usr/share/man/man1/switchboard.1.gz': await read(bundleFolder, 'man/switchboard.1.gz'),
		'usr/share/bash-completion/completions/switchboard': await read(bundleFolder, 'completions/switchboard.bash'),
		'usr/share/zsh/vendor-completions/_switchboard': await read(bundleFolder, 'completions/_switchboard'),
		'usr/share/fish/vendor_completions.d/switchboard.fish': await read(bundleFolder, 'completions/switchboard.fish'),
		'usr/lib/systemd/system/switchboard.service': installedUnit(serviceUnit(program)),
		'usr/lib/systemd/system/switchboard-ssh.service': installedUnit(sshUnit(program)),
		'usr/lib/systemd/user/switchboard-timers.service': installedUnit(timersUnit(program)),
		'usr/lib/sysusers.d/switchboard.conf': sysusers,
		'usr/lib/tmpfiles.d/switchboard.conf': dataFolders,
		[`${documents}/copyright`]: `${String(await read(root, 'LICENSE'))}
What else is in the executable, and under which licence: NOTICES.txt.gz here.
`,
		[`${documents}/NOTICES.txt.gz`]: zip(await read(path.dirname(executable), 'NOTICES.txt')),
		[`${documents}/bom.cdx.json.gz`]: zip(await read(bundleFolder, 'bom.cdx.json')),
		[`${documents}/CHANGELOG.md.gz`]: zip(changelog),
		[`${documents}/changelog.gz`]: zip(debianChangelog(changelog)),
		'usr/share/lintian/overrides/switchboard': overrides.map(([tag, reason]) => `# ${reason}\nswitchboard: ${tag}\n`).join(''),
	};
	for (const [name, contents] of Object.entries(files)) {
		await put(name, contents);
	}

	const installedSize = execFileSync('du', ['-sk', '--apparent-size', workFolder], {encoding: 'utf8'}).split('\t', 1)[0]!;
	await put(
		'DEBIAN/control',
		`${[
			'Package: switchboard',
			`Version: ${version}`,
			`Architecture: ${architecture}`,
			`Maintainer: ${maintainer}`,
			`Installed-Size: ${installedSize}`,
			'Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles',
			'Section: utils',
			'Priority: optional',
			description,
		].join('\n')}\n`,
	);
	await put('DEBIAN/postinst', afterInstall, 0o755);
	await put('DEBIAN/prerm', beforeRemoval, 0o755);
	await put('DEBIAN/postrm', afterRemoval, 0o755);
	const file = path.join(folder, `switchboard_${version}_${architecture}.deb`);
	execFileSync('dpkg-deb', ['--root-owner-group', '--build', workFolder, file], {stdio: 'pipe'});
	return file;
}

/** Returns the newest entry as Debian writes it (deb-changelog(5)); the text of it is beside it. */
function debianChangelog(changelog: string): string {
	const {year, month, day} = /^## \S+ \((?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)\)$/m.exec(changelog)!.groups!;
	const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).toUTCString().replace('GMT', '+0000');
	return `switchboard (${version}) unstable; urgency=medium\n\n  * What is new: CHANGELOG.md.gz\n\n -- ${maintainer}  ${date}\n`;
}

if (import.meta.main) {
	console.log('Making the files to install takes about two minutes on two processors, most of it to compress.');
	const files = await buildPackages(path.join(root, 'build'), line => console.log(line));
	for (const file of files) {
		const {size} = await stat(file);
		console.log(`${path.relative(root, file)}  ${(size / 1e6).toFixed(1)} MB`);
	}

	console.log(`Made in ${Math.round(performance.now() / 1000)} s.`);
}
