import {assert, once, path, process, suite, test, writeFileSync} from '../helpers/node.ts';
import {connect, type TLSSocket} from 'node:tls';
import {createCertificate, type Certificate} from '../helpers/certificates.ts';
import {builtProgram} from '../helpers/run-command.ts';
import {createIsolatedHome, noKeyYet, openPseudoTerminal, startProgram, waitUntil} from './kit.ts';

/** A connection, and whose certificate it was shown. */
async function shake(baseAddress: string): Promise<{readonly socket: TLSSocket; readonly name: string}> {
	const {hostname, port} = new URL(baseAddress);
	const socket = connect({host: hostname, port: Number(port), rejectUnauthorized: false});
	await once(socket, 'secureConnect');
	return {socket, name: String(socket.getPeerCertificate().subject.CN)};
}

async function shownName(baseAddress: string): Promise<string> {
	const {socket, name} = await shake(baseAddress);
	socket.destroy();
	return name;
}

suite('SIGHUP', {skip: process.platform === 'win32'}, () => {
	test('lets serve read the certificate anew; a bad one is refused, and open connections go on', async () => {
		const home = createIsolatedHome();
		const files = {cert: path.join(home.folder, 'cert.pem'), key: path.join(home.folder, 'key.pem')};
		const write = ({cert, key}: Certificate): void => {
			writeFileSync(files.cert, cert);
			writeFileSync(files.key, key, {mode: 0o600});
		};

		const [first, second] = [createCertificate({names: ['first.invalid']}), createCertificate({names: ['second.invalid']})];
		write(first);
		await using serving = await startProgram(home, ['serve', '--port', '0', '--tls-cert', files.cert, '--tls-key', files.key]);
		const {socket, name} = await shake(serving.baseAddress);
		assert.equal(name, 'first.invalid');

		write({cert: second.cert, key: first.key});
		serving.child.kill('SIGHUP');
		await serving.told(
			/^The old certificate stays in use\. The key does not belong to the certificate\. Use the key that the certificate was made for\. .*\n/m,
		);
		assert.equal(await shownName(serving.baseAddress), 'first.invalid');

		write(createCertificate({names: ['old.invalid'], lastDay: new Date('2025-01-02')}));
		serving.child.kill('SIGHUP');
		await serving.told(/The old certificate stays in use\. The new certificate has expired: it was valid until Jan {2}\d.* 2025 GMT\.\n/);
		assert.equal(await shownName(serving.baseAddress), 'first.invalid');

		write(second);
		serving.child.kill('SIGHUP');
		await serving.told('The certificate was read again. Open connections keep the old one.\n');
		assert.equal(await shownName(serving.baseAddress), 'second.invalid');

		socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
		const [answer] = (await once(socket, 'data')) as [Uint8Array];
		assert.match(String(answer), /^HTTP\/1\.1 200 /);
		socket.destroy();
		assert.equal((await serving.stop('SIGTERM')).exitCode, 0);
	});

	test('does nothing to serve without a certificate and a terminal', async () => {
		await using serving = await startProgram(createIsolatedHome(), ['serve', '--port', '0']);
		for (let count = 0; count < 3; count++) {
			serving.child.kill('SIGHUP');
			assert.equal((await fetch(`${serving.baseAddress}/openapi.json`)).status, 200);
		}

		assert.deepEqual(await serving.stop('SIGTERM'), {exitCode: 0, stderr: noKeyYet});
	});

	test('ends serve in a terminal, which may have been closed', async () => {
		const home = createIsolatedHome();
		await using terminal = openPseudoTerminal({...builtProgram, args: [...builtProgram.args, 'serve', '--port', '0'], env: home.env});
		await waitUntil(() => terminal.output.toString().includes('listening on'));
		process.kill(terminal.pid, 'SIGHUP');
		assert.equal((await terminal.exited).exitCode, 129);
	});

	test('ends serve once its terminal has gone, although it has a certificate', async () => {
		const home = createIsolatedHome();
		const {cert, key} = createCertificate();
		const [certFile, keyFile] = [path.join(home.folder, 'cert.pem'), path.join(home.folder, 'key.pem')];
		writeFileSync(certFile, cert);
		writeFileSync(keyFile, key, {mode: 0o600});
		await using terminal = openPseudoTerminal({
			...builtProgram,
			args: [...builtProgram.args, 'serve', '--port', '0', '--tls-cert', certFile, '--tls-key', keyFile],
			env: home.env,
		});
		await waitUntil(() => terminal.output.toString().includes('listening on'));
		process.kill(terminal.pid, 'SIGHUP');
		await waitUntil(() => terminal.output.toString().includes('The certificate was read again.'));
		terminal.hangUp();
		// With which exit code depends on what it still tries to write there.
		await terminal.exited;
	});
});
