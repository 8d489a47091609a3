import {assert, assertMapped, path, process, spawnSync, test, type TestContext} from '../helpers/node.ts';
import {chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import {describeForeignHome, explainFileError, foreignOwner} from '../../source/platform/file-owner.ts';
import {shellWord} from '../../source/platform/shell-word.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {programFile} from '../helpers/run-command.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const useFolders = (t: TestContext, folder: string): void =>
	setVariables(t, {
		HOME: folder,
		XDG_CONFIG_HOME: path.join(folder, 'my config'),
		XDG_DATA_HOME: path.join(folder, 'data'),
		XDG_CACHE_HOME: path.join(folder, 'cache'),
		XDG_STATE_HOME: path.join(folder, 'state'),
	});

const me = os.userInfo().username;

test('a word is quoted for a shell where it needs it', () => {
	assert.deepEqual(
		['/var/lib/a', '~/a', 'a b', "it's", '', '$(x)', 'a\nb'].map(word => shellWord(word, 'linux')),
		['/var/lib/a', "'~/a'", "'a b'", String.raw`'it'\''s'`, "''", "'$(x)'", "'a\nb'"],
	);
	assertMapped([String.raw`C:\a`, 'a b'], word => shellWord(word, 'win32'), [String.raw`C:\a`, '"a b"']);
});

test('what root owns in a folder of ours is taken back with the folder; nothing above it, of another user or behind a link is', t => {
	const folder = temporaryFolder();
	useFolders(t, folder);
	const [config, data] = [path.join(folder, 'my config', 'switchboard'), path.join(folder, 'data', 'switchboard')];
	const command = `Take it back with: sudo chown -R ${me} '${config}'`;
	for (const [place, uid, file, reason, nextStep] of [
		[config, 0, undefined, 'it belongs to root', command],
		[config, 0, path.join(config, 'config.json'), 'its folder belongs to root', command],
		[path.join(config, 'prompts', 'a.md'), 0, undefined, 'it belongs to root', command],
		[
			path.dirname(config),
			0,
			path.join(config, 'config.json'),
			`${path.dirname(config)}, which it lies in, belongs to root`,
			`Have ${path.dirname(config)} given back to ${me} first: other programs use it too.`,
		],
		[config, 54_321, undefined, 'it belongs to another user (54321)', undefined],
		['/etc', 0, '/etc/switchboard', 'its folder belongs to root', undefined],
	] as const) {
		assert.deepEqual(foreignOwner(place, uid, file), {reason, nextStep});
	}

	mkdirSync(path.dirname(data));
	symlinkSync('/etc', data);
	assert.deepEqual(foreignOwner(data, 0), {reason: 'it belongs to root', nextStep: undefined});
});

test('a reason has neither the path nor the code of the system', () => {
	const denied = Object.assign(new Error("EACCES: permission denied, open '/nowhere/x'"), {code: 'EACCES'});
	assert.deepEqual(explainFileError(denied, path.join(temporaryFolder(), 'x')), {reason: 'permission denied'});
	assert.deepEqual(
		explainFileError(Object.assign(new Error('unable to open database file'), {errcode: 14}), path.join(temporaryFolder(), 'x')),
		{reason: 'permission denied'},
	);
	// A failed write names no file.
	assert.deepEqual(explainFileError(Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC', errno: -28})), {
		reason: 'no space left on device',
	});
	assert.deepEqual(explainFileError(new Error('it is a link.')), {reason: 'it is a link'});
});

const nobody = 65_534;

/** Only root can leave files behind that are root's, and be somebody else afterwards. */
test('after one run as root the person is told whose the files are, and the command that gives them back works', {
	skip: process.getuid?.() !== 0,
}, () => {
	const {folder, env} = createIsolatedHome();
	const home = path.join(folder, 'home of nobody');
	const inHome = {...env, HOME: home, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', XDG_CACHE_HOME: '', XDG_STATE_HOME: ''};
	mkdirSync(home);
	chownSync(home, nobody, nobody);
	// The folders of the tests are root's alone.
	for (let above = folder; above !== os.tmpdir(); above = path.dirname(above)) {
		chmodSync(above, 0o755);
	}

	const run = (uid: number, ...words: readonly string[]) => {
		const {status, stderr} = spawnSync(process.execPath, [programFile, ...words], {env: inHome, uid, gid: uid, encoding: 'utf8'});
		return {status, stderr};
	};

	const warning = 'Warning: this runs as root with the home folder of nobody. ';
	assert.ok(run(0, 'keys', 'create').stderr.startsWith(warning));
	assert.ok(run(0, 'profiles', 'use', 'local').stderr.startsWith(warning));
	assert.deepEqual(run(0, '--version'), {status: 0, stderr: ''});
	assert.equal(statSync(path.join(home, '.config')).uid, nobody, 'Other programs need it');
	assert.equal(statSync(path.join(home, '.cache'), {throwIfNoEntry: false}), undefined);

	const chown = (...names: readonly string[]): string => `Take it back with: sudo chown -R nobody '${path.join(home, ...names)}'`;
	const [takeConfig, takeData] = [chown('.config', 'switchboard'), chown('.local', 'share', 'switchboard')];
	const notRead = `The settings in ${path.join(home, '.config', 'switchboard', 'config.json')} cannot be read: its folder belongs to root.`;
	for (const [words, ...lines] of [
		[
			['profiles', 'use', 'local'],
			`${notRead} Nothing is stored in this run. ${takeConfig}`,
			`The change could not be stored: ${notRead}`,
			takeConfig,
		],
		[
			['keys', 'list'],
			`The data folder ${path.join(home, '.local', 'share', 'switchboard')} cannot be used: it belongs to root.`,
			takeData,
		],
		[
			['ssh-serve', '--port', '0'],
			`The host key ${path.join(home, '.config', 'switchboard', 'ssh_host_ed25519_key')} cannot be used: its folder belongs to root.`,
			takeConfig,
		],
	] as const) {
		assert.deepEqual(
			run(nobody, ...words)
				.stderr.trimEnd()
				.split('\n'),
			lines,
		);
	}

	for (const advice of [takeConfig, takeData]) {
		spawnSync('sh', ['-c', advice.replace(/^.*sudo /, '')]);
	}

	assert.deepEqual(run(nobody, 'profiles', 'use', 'local'), {status: 0, stderr: ''});
	assert.deepEqual(run(nobody, 'keys', 'list'), {status: 0, stderr: ''});
	writeFileSync(path.join(home, '.config', 'switchboard', 'config.json'), '{}', {mode: 0o600});
	chownSync(path.join(home, '.config', 'switchboard', 'config.json'), 0, 0);
	assert.match(run(nobody, 'profiles').stderr, /config\.json cannot be read: it belongs to root\. /);
	chownSync(path.join(home, '.config', 'switchboard', 'config.json'), 54_321, 0);
	assert.match(
		run(nobody, 'profiles').stderr,
		/config\.json cannot be read: it belongs to another user \(54321\)\. Nothing is stored in this run\.\n/,
	);
});

test('a run of the person, or of root at home, is not warned of', () => assert.equal(describeForeignHome(), undefined));
