import {assert, connect, type IncomingMessage, once, path, spawn, spawnSync, test, type TestContext} from '../helpers/node.ts';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {request} from 'node:https';
import {tmpdir} from 'node:os';
import {createCertificate} from '../helpers/certificates.ts';
import {freePort} from '../helpers/listen.ts';
import {runCommand} from '../helpers/run-command.ts';
import {createIsolatedHome, startProgram, temporaryFolder, waitUntil} from './kit.ts';

const program = ['/usr/sbin/nginx', 'nginx'].find(file => spawnSync(file, ['-v']).error === undefined);

/** The block of the page, in the words of the page. */
const [block = ''] =
	/^server \{\n[\s\S]*?^\}$/m.exec(readFileSync(path.resolve(import.meta.dirname, '../../docs/proxies.md'), 'utf8')) ?? [];

async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

type Nginx = {readonly socketPath: string; readonly server: string};

/** Runs nginx with a server block, whose port, certificate and socket become those of the test. */
async function startNginx(t: TestContext, {socketPath, server}: Nginx) {
	const folder = temporaryFolder();
	const place = (name: string): string => path.join(folder, name);
	const port = await freePort();
	const {cert, key} = createCertificate();
	writeFileSync(place('cert.pem'), cert);
	writeFileSync(place('key.pem'), key);
	let own = server;
	for (const [theirs, ours] of [
		['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
		['/etc/ssl/voice.example.com.pem', place('cert.pem')],
		['/etc/ssl/private/voice.example.com.key', place('key.pem')],
		['unix:/run/switchboard.sock:', `unix:${socketPath}:`],
	] as const) {
		assert.ok(own.includes(theirs), theirs);
		own = own.replaceAll(theirs, ours);
	}

	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${place(name)};`).join(' ');
	writeFileSync(place('nginx.conf'), `pid ${place('pid')}; events {} http { access_log ${place('access.log')}; ${temporary} ${own} }`);
	const child = spawn(program!, ['-c', place('nginx.conf'), '-e', place('error.log'), '-g', 'daemon off; master_process off;'], {
		stdio: 'ignore',
	});
	const exited = once(child, 'exit');
	t.after(async () => {
		child.kill('SIGTERM');
		await exited;
	});
	const read = (name: string): string => readFileSync(place(name), 'utf8');
	await waitUntil(async () => {
		if (child.exitCode !== null) {
			throw new Error(`nginx ended with:\n${read('error.log')}`);
		}

		return isListening(port);
	});
	return {
		port,
		cert,
		env: {NODE_EXTRA_CA_CERTS: place('cert.pem'), SWITCHBOARD_BASE_URL: `https://localhost:${port}`},
		logs: () => read('access.log') + read('error.log'),
	};
}

test('conversations and events pass through nginx with the block of the page, and its logs have no key', {
	skip: program === undefined && 'no nginx (Debian: nginx-light)',
}, async t => {
	// The path of a socket may be 107 bytes long: a folder in that of the tests may be too deep.
	const folder = mkdtempSync(path.join(tmpdir(), 'sb-'));
	t.after(() => rmSync(folder, {recursive: true}));
	const socketPath = path.join(folder, 'socket');
	const home = createIsolatedHome();
	const key = (await runCommand(['keys', 'create'], {env: home.env})).stdout.trim();
	await using serving = await startProgram(home, ['serve', '--sample', '--socket', socketPath, '--trust-proxy', 'unix']);
	const nginx = await startNginx(t, {socketPath, server: block});
	const say = async ({env}: Pick<typeof nginx, 'env'>) =>
		runCommand(['say', 'good morning', '--agent', '0'], {env: {...home.env, SWITCHBOARD_API_KEY: key, ...env}});
	const said = await say(nginx);
	assert.deepEqual([said.exitCode, said.stdout], [0, 'This would start morninglights (skill). Abilities are not run here.\n'], said.stderr);
	const events = request({
		host: 'localhost',
		port: nginx.port,
		path: '/events',
		ca: nginx.cert,
		agent: false,
		headers: {'x-api-key': key},
	}).end();
	const [stream] = (await once(events, 'response')) as [IncomingMessage];
	const [first] = (await once(stream, 'data')) as [Uint8Array];
	assert.deepEqual([stream.statusCode, String(first).split('\n', 1)[0]?.split(':', 1)[0]], [200, 'event']);
	events.destroy();

	const plain = await startNginx(t, {socketPath, server: block.replaceAll(/^.*(?:\$http_upgrade|Connection upgrade);\n/gm, '')});
	const refused = await say(plain);
	assert.equal(refused.exitCode, 2, refused.stderr);
	assert.match(refused.stderr, /\nA proxy in between must pass on the headers Upgrade and Connection\./);

	await serving.stop('SIGTERM');
	assert.equal((await say(nginx)).exitCode, 5);
	for (const {logs} of [nginx, plain]) {
		assert.match(logs(), /"GET \/api\/[^"]*" 200/);
		assert.ok(!logs().includes(key));
		assert.ok(!logs().includes('/websocket/'));
	}
});
