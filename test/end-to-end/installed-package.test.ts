import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {test} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Unpacks what `npm publish` would upload, and returns the folder of the package. */
const unpackPackage = ({folder, env}: IsolatedHome): string => {
	execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {cwd: root, env, stdio: 'pipe'});
	const archive = readdirSync(folder).find(name => name.endsWith('.tgz'));
	assert.ok(archive);
	execFileSync('tar', ['-xzf', archive], {cwd: folder});
	return path.join(folder, 'package');
};

const readInstalled = (packageFolder: string, {env}: IsolatedHome) =>
	spawnSync(process.execPath, [path.join(packageFolder, 'dist/cli.js'), 'installed', '--profile', 'local', '--json'], {env, encoding: 'utf8'});

test('the packed program runs from any folder and includes the sample home', () => {
	const home = createIsolatedHome();
	const {stdout, status} = readInstalled(unpackPackage(home), home);
	assert.equal(status, 0);
	const records = JSON.parse(stdout) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>;
	assert.equal(records.length, 12);
	assert.equal(records.find(({name}) => name === 'pantry')?.enabled, true);
});

test('a missing file of the sample home is reported with its name and what to do', () => {
	const home = createIsolatedHome();
	const packageFolder = unpackPackage(home);
	rmSync(path.join(packageFolder, 'dist/sample-home/abilities/pantry/main.py'));
	const {stdout, stderr, status} = readInstalled(packageFolder, home);
	assert.deepEqual([status, stdout], [1, '']);
	const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as {readonly error: {readonly kind: string; readonly message: string}};
	assert.equal(error.kind, 'unexpected');
	assert.match(error.message, /^The sample home in .+sample-home cannot be read: .*main\.py is missing.* Install Switchboard again\.$/);
});
