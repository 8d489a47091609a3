import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {cp, mkdir, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {pipeline} from 'node:stream/promises';
import {buildDebianPackage} from './debian-package.ts';
import {buildExecutable} from './executable.ts';
import {packedManifest} from './packed-manifest.ts';

const root = path.resolve(import.meta.dirname, '../..');

const bundleFolder = path.join(root, 'dist');

const hashOf = async (file: string): Promise<string> => {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
};

/**
Makes the npm file of what is built, from a copy: the project's own files stay as they are.

@returns its path.
*/
export const packForNpm = async (folder: string, workFolder: string): Promise<string> => {
	const tree = path.join(workFolder, 'npm');
	await mkdir(tree);
	for (const name of ['README.md', 'LICENSE', 'media', 'dist']) {
		await cp(path.join(root, name), path.join(tree, name), {recursive: true});
	}

	await writeFile(path.join(tree, 'package.json'), packedManifest(await readFile(path.join(root, 'package.json'), 'utf8')));
	// Without the scripts: what is packed is built.
	const output = execFileSync('npm', ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', folder], {
		cwd: tree,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const [{filename}] = JSON.parse(output) as [{readonly filename: string}];
	return path.join(folder, filename);
};

/** The executable with its manual, completion scripts, licences and bill of materials; `xz` reads its own variable (`XZ_OPT`). */
const packArchive = async (folder: string, workFolder: string, name: string, executable: string): Promise<string> => {
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
};

/**
Makes the files to install of what is built in `dist/`: the npm file, the executable in an archive and, on Debian, its package; and
`SHA256SUMS` with their hashes.

@param folder - created if it is missing.
@param report - is given a line before each step.
@returns the paths of the files.
*/
export const buildPackages = async (folder: string, report: (line: string) => void): Promise<readonly string[]> => {
	await mkdir(folder, {recursive: true});
	const {version} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {readonly version: string};
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
		const debianPackage = await buildDebianPackage(folder, tree, {
			version,
			executable,
			bundleFolder,
			licenseFile: path.join(root, 'LICENSE'),
			changelogFile: path.join(root, 'CHANGELOG.md'),
		});
		const files = [npmFile, archive, debianPackage];
		report('Their hashes …');
		const sums = await Promise.all(files.map(async file => `${await hashOf(file)}  ${path.basename(file)}\n`));
		await writeFile(path.join(folder, 'SHA256SUMS'), sums.join(''));
		return files;
	} finally {
		await rm(workFolder, {recursive: true, force: true});
	}
};

if (import.meta.main) {
	console.log('Making the files to install takes about two minutes on two processors, most of it to compress.');
	const files = await buildPackages(path.join(root, 'build'), line => console.log(line));
	for (const file of files) {
		const {size} = await stat(file);
		console.log(`${path.relative(root, file)}  ${(size / 1e6).toFixed(1)} MB`);
	}

	console.log(`Made in ${Math.round(performance.now() / 1000)} s.`);
}
