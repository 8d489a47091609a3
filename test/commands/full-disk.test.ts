import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {runCommand} from '../helpers/run-command.ts';
import {createIsolatedHome, type IsolatedHome, lastError, runWithRoom, startDocumented, startLiveLike} from './kit.ts';

/** Runs a command where no file can have any content. */
async function runWithoutRoom({env, folder}: Pick<IsolatedHome, 'env' | 'folder'>, ...words: readonly string[]) {
	const result = await runWithRoom(0, [...words, '--json'], {env, cwd: folder});
	return {stdout: result.stdout, exitCode: result.exitCode, error: lastError(result)};
}

test('settings that find no room are not stored, which is no-room, and work again once there is some', async () => {
	const home = createIsolatedHome();
	assert.equal((await runCommand(['profiles', 'use', 'local', '--json'], {env: home.env})).exitCode, 0);
	const file = path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard', 'config.json');
	const before = readFileSync(file, 'utf8');
	// The exit code is not looked at: the limit also sends a signal, which the library that writes the file obeys.
	const {stdout, error} = await runWithoutRoom(home, 'profiles', 'use', 'local');
	assert.equal(stdout, '');
	assert.deepEqual(error, {
		kind: 'no-room',
		message: `The change could not be stored: the disk of ${file} is full. Make room on it, then try again.`,
	});
	assert.equal(readFileSync(file, 'utf8'), before);
	assert.equal(existsSync(`${file}.lock`), false);
	assert.equal((await runCommand(['profiles', 'use', 'local', '--json'], {env: home.env})).exitCode, 0);
});

test('a key that finds no room is not created, which is exit 5, no-room, whether there is a database or not', async () => {
	const home = createIsolatedHome();
	for (const isNew of [true, false]) {
		const {stdout, exitCode, error} = await runWithoutRoom(home, 'keys', 'create', '--name', 'ci');
		assert.deepEqual([stdout, exitCode], ['', 5], JSON.stringify(error));
		assert.match(JSON.stringify(error), /"kind":"no-room","message":"The disk is full, so \S+switchboard\.db cannot be written/);
		if (isNew) {
			assert.equal((await runCommand(['keys', 'create'], {env: home.env})).exitCode, 0);
		}
	}

	assert.equal((await runCommand(['keys', 'create', '--name', 'ci'], {env: home.env})).exitCode, 0);
});

test('an export that finds no room is no-room, and leaves the file and its folder as they were', async (t: TestContext) => {
	const home = await startDocumented(t);
	const file = path.join(home.folder, 'home.yaml');
	writeFileSync(file, 'version: 1\n');
	const before = readdirSync(home.folder);
	const {stdout, exitCode, error} = await runWithoutRoom(home, 'export', 'home.yaml');
	assert.deepEqual(
		[stdout, exitCode, error],
		['', 5, {kind: 'no-room', message: 'There is no room for “home.yaml”. It was not changed. Make room on the disk.'}],
	);
	assert.deepEqual([readFileSync(file, 'utf8'), readdirSync(home.folder)], ['version: 1\n', before]);
});

test('a prompt that finds no room is not kept, and stays as it is', async (t: TestContext) => {
	const {
		service,
		env,
		home: {folder},
		run,
	} = await startLiveLike(t);
	const before = structuredClone(service.agents);
	assert.deepEqual(await runWithoutRoom({env, folder}, 'agents', 'edit', 'Hearth', '--prompt', 'Be brief.'), {
		stdout: '',
		exitCode: 2,
		error: {
			kind: 'not-kept',
			message: 'The present prompt of Hearth cannot be kept: the disk is full. It was not changed. Use --yes to change it anyway.',
		},
	});
	assert.deepEqual(service.agents, before);
	assert.equal((await run(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.'])).exitCode, 0);
	assert.equal((await run(['agents', 'restore', 'Hearth'])).exitCode, 0);
	assert.deepEqual(service.agents, before);
});
