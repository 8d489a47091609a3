import {assert, connect, type IncomingMessage, once, path, process, request, type Socket, text} from '../helpers/node.ts';
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {after, suite, test, type TestContext} from 'node:test';
import {freePort} from '../helpers/listen.ts';
import {builtProgram} from '../helpers/run-command.ts';
import {modeOf, noKeyYet, programFile, runCommand, serveInProcess, startInProcess, startProgram, waitUntil} from './kit.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';

/** The path of a socket may be 107 bytes long: a folder in that of the tests may be too deep. */
function createFolder(t: TestContext): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'sb-'));
	t.after(() => rmSync(folder, {recursive: true}));
	return folder;
}

const exists = (file: string): boolean => lstatSync(file, {throwIfNoEntry: false}) !== undefined;

async function askDescription(where: {readonly socketPath: string} | {readonly port: number}): Promise<string> {
	const sent = request({...where, path: '/openapi.json', agent: false});
	sent.end();
	const [answer] = (await once(sent, 'response')) as [IncomingMessage];
	return `${answer.statusCode} ${(await text(answer)).slice(0, 10)}`;
}

const answered = '200 {"openapi"';

/** As if whoever starts it had no mask: what is created is open to all unless the program sees to it. */
const withoutMask = {command: 'sh', args: ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, programFile]};

suite('serve --socket', {skip: process.platform === 'win32'}, () => {
	test("listens on a socket that is its owner's alone, and removes it at the end", async t => {
		const socketPath = path.join(createFolder(t), 'socket');
		await using serving = await startProgram(createIsolatedHome(), ['serve', '--socket', socketPath], withoutMask);
		assert.equal(serving.firstLine, `listening on unix:${socketPath}`);
		assert.equal(modeOf(socketPath), '600');
		assert.equal(await askDescription({socketPath}), answered);
		assert.deepEqual(await serving.stop('SIGTERM'), {exitCode: 0, stderr: noKeyYet});
		assert.equal(exists(socketPath), false);
	});

	test('takes the place of a service that was killed, but not of one that answers', async t => {
		const socketPath = path.join(createFolder(t), 'socket');
		const home = createIsolatedHome();
		await using killed = await startProgram(home, ['serve', '--socket', socketPath]);
		const refused = await runCommand(['serve', '--socket', socketPath], {env: home.env});
		assert.deepEqual(
			[refused.exitCode, refused.stdout, refused.stderr],
			[2, '', `Another program already listens on ${socketPath}.\nChoose another path with --socket.\n`],
		);
		assert.equal(await askDescription({socketPath}), answered);
		await killed.stop('SIGKILL');
		assert.equal(exists(socketPath), true);
		await using serving = startInProcess(['serve', '--socket', socketPath], home.env);
		await serving.waitFor(({lines}) => lines().length > 0);
		assert.equal(await askDescription({socketPath}), answered);
	});

	test('refuses a path that is taken, missing or too long, and other options that say where to listen', async t => {
		const folder = createFolder(t);
		const {env} = createIsolatedHome();
		const file = path.join(folder, 'file');
		const link = path.join(folder, 'link');
		writeFileSync(file, 'kept');
		symlinkSync(path.join(folder, 'nowhere'), link);
		const long = path.join(folder, 'x'.repeat(108 - folder.length));
		const cases: ReadonlyArray<readonly [words: readonly string[], message: string]> = [
			[[file], `${file} exists and is not a socket.`],
			[[link], `${link} exists and is not a socket.`],
			[[folder], `${folder} exists and is not a socket.`],
			[[path.join(folder, 'missing/socket')], `The folder ${folder}/missing does not exist.`],
			[[long], `The path ${long} is too long for a socket.`],
			[[''], 'The value for --socket is empty.'],
			[['a\nb'], String.raw`Invalid value “a\nb” for --socket.`],
			[[path.join(folder, 'socket'), '--port', '0'], '--socket and --port cannot be used together.'],
			[[path.join(folder, 'socket'), '--host', '127.0.0.1'], '--socket and --host cannot be used together.'],
		];
		for (const [words, message] of cases) {
			const {exitCode, stdout, stderr} = await runCommand(['serve', '--socket', ...words], {env});
			assert.deepEqual([exitCode, stdout, stderr.replaceAll(/\n(?=b”)/g, String.raw`\n`).split('\n', 1)[0]], [2, '', message]);
		}

		assert.deepEqual([exists(path.join(folder, 'socket')), lstatSync(link).isSymbolicLink(), lstatSync(file).size], [false, true, 4]);
	});
});

const activate = 'systemd-socket-activate';

const activated = new Set<ChildProcess>();

/** Starts the program as systemd does: at the first connection to a socket that is open before. */
function startActivated({env}: IsolatedHome, where: string, words: readonly string[]) {
	const names = Object.keys(env).flatMap(name => ['-E', name]);
	const child = spawn(activate, ['-l', where, ...names, builtProgram.command, ...builtProgram.args, 'serve', ...words], {
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	activated.add(child);
	const closed = once(child, 'close') as Promise<[number | null]>;
	const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
	return {
		child,
		async ended() {
			const [exitCode] = await closed;
			// It says itself what it does, until it becomes the program.
			return {
				exitCode,
				stdout: await stdout,
				stderr: (await stderr).replaceAll(/^(?:Listening on|Communication attempt|Execing) .*\n/gm, ''),
			};
		},
	};
}

/** A socket has its name a moment before it takes connections. */
async function connectSoon(socketPath: string): Promise<Socket> {
	let client: Socket | undefined;
	await waitUntil(async () => {
		const socket = connect(socketPath);
		try {
			await once(socket, 'connect');
			client = socket.on('error', () => undefined);
			return true;
		} catch {
			return false;
		}
	});
	return client!;
}

suite('serve, started by systemd for a socket', {skip: spawnSync(activate, ['--version']).error !== undefined}, () => {
	after(() => {
		for (const child of activated) {
			child.kill('SIGKILL');
		}
	});

	test('listens on a Unix socket that it is passed, and leaves it to systemd at the end', async t => {
		const socketPath = path.join(createFolder(t), 'socket');
		const {child, ended} = startActivated(createIsolatedHome(), socketPath, []);
		const client = await connectSoon(socketPath);
		assert.equal(await askDescription({socketPath}), answered);
		client.destroy();
		child.kill('SIGTERM');
		assert.deepEqual(await ended(), {exitCode: 0, stdout: `listening on unix:${socketPath}\n`, stderr: noKeyYet});
		assert.equal(exists(socketPath), true);
	});

	test('listens on an address that it is passed', async () => {
		const port = await freePort();
		const {child, ended} = startActivated(createIsolatedHome(), `127.0.0.1:${port}`, []);
		await waitUntil(async () => {
			try {
				return (await askDescription({port})) === answered;
			} catch {
				return false;
			}
		});
		child.kill('SIGTERM');
		assert.deepEqual(await ended(), {exitCode: 0, stdout: `listening on http://127.0.0.1:${port}\n`, stderr: noKeyYet});
	});

	test('refuses to listen elsewhere as well', async t => {
		const socketPath = path.join(createFolder(t), 'socket');
		const {ended} = startActivated(createIsolatedHome(), socketPath, ['--port', '0']);
		const client = await connectSoon(socketPath);
		assert.deepEqual(await ended(), {
			exitCode: 2,
			stdout: '',
			stderr: 'systemd has passed a socket, so --port cannot be used.\nLeave it out, or stop the socket unit.\n',
		});
		client.destroy();
	});

	test('does not take a socket that is meant for another process, and says so', async () => {
		const home = createIsolatedHome();
		await using serving = await serveInProcess({env: {...home.env, LISTEN_PID: '1', LISTEN_FDS: '1'}});
		assert.match(serving.firstLine, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
		assert.match((await serving.stop()).stderr, /^Warning: systemd has passed a socket to another process.*\nNo API key yet\. .*\n$/);
	});
});
