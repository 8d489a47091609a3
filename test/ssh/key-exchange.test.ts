import {assert, Buffer, net, path, readFileSync, spawnSync, suite, test} from '../helpers/node.ts';
import {createHash, createPublicKey, decapsulate, diffieHellman, generateKeyPairSync, verify} from 'node:crypto';
import {sshString, uint32} from './raw-client.ts';
import {startServer} from './running-server.ts';
import {runClient, runDropbear} from './ssh-client.ts';

const hybrid = 'mlkem768x25519-sha256';

const clientIdent = 'SSH-2.0-Test';

const messages = {disconnect: 1, keyExchangeInit: 20, exchangeRequest: 30, exchangeReply: 31} as const;

/** A message before there are keys (RFC 4253, section 6). */
function packet(payload: Uint8Array): Buffer {
	const padding = 16 - ((payload.length + 5) % 8);
	return Buffer.concat([uint32(payload.length + padding + 1), Buffer.from([padding]), payload, Buffer.alloc(padding)]);
}

/** The strings that a text is made of, one after another. */
function stringsIn(bytes: Buffer): readonly Buffer[] {
	const found: Buffer[] = [];
	for (let start = 0; start + 4 <= bytes.length; ) {
		const end = start + 4 + bytes.readUInt32BE(start);
		found.push(bytes.subarray(start + 4, end));
		start = end;
	}

	return found;
}

const firstMessage = (lists: readonly string[]): Buffer =>
	Buffer.concat([Buffer.from([messages.keyExchangeInit]), Buffer.alloc(16, 7), ...lists.map(list => sshString(list)), Buffer.alloc(5)]);

/** The whole messages of a server after its name, while nothing is encrypted. */
function messagesIn(bytes: Buffer): readonly Buffer[] {
	const nameEnd = bytes.indexOf('\r\n');
	const found: Buffer[] = [];
	for (let start = nameEnd === -1 ? bytes.length : nameEnd + 2; start + 4 < bytes.length; ) {
		const end = start + 4 + bytes.readUInt32BE(start);
		if (end > bytes.length) {
			break;
		}

		found.push(bytes.subarray(start + 5, end - bytes[start + 4]!));
		start = end;
	}

	return found;
}

/** A client of its own, as far as messages are not encrypted. */
async function shakeHands(port: number, exchanges: readonly string[], request: Uint8Array) {
	const socket = net.connect(port, '127.0.0.1');
	socket.setTimeout(60_000, () => {
		socket.destroy(new Error('The server says no more.'));
	});
	const clientInit = firstMessage([
		exchanges.join(','),
		'ssh-ed25519',
		...Array.from({length: 2}, () => 'aes128-gcm@openssh.com'),
		'',
		'',
		'none',
		'none',
		'',
		'',
	]);
	socket.write(
		Buffer.concat([
			Buffer.from(`${clientIdent}\r\n`),
			packet(clientInit),
			packet(Buffer.concat([Buffer.from([messages.exchangeRequest]), sshString(request)])),
		]),
	);
	let received = Buffer.alloc(0);
	for await (const chunk of socket) {
		received = Buffer.concat([received, chunk as Buffer]);
		// After both first messages, the next one tells.
		if (messagesIn(received).length > 1) {
			break;
		}
	}

	const [serverInit, answer] = messagesIn(received);
	return {clientInit, serverIdent: received.toString('latin1', 0, received.indexOf('\r\n')), serverInit: serverInit!, answer: answer!};
}

const rawKey = (key: ReturnType<typeof createPublicKey>, bytes: number): Buffer =>
	key.export({format: 'der', type: 'spki'}).subarray(-bytes);

/** The keys of a client, and what it sends of them. */
function makeRequest() {
	const mlKem = generateKeyPairSync('ml-kem-768');
	const x25519 = generateKeyPairSync('x25519');
	return {
		mlKem: mlKem.privateKey,
		x25519: x25519.privateKey,
		request: Buffer.concat([rawKey(mlKem.publicKey, 1184), rawKey(x25519.publicKey, 32)]),
	};
}

const x25519Key = (bytes: Buffer) =>
	createPublicKey({key: Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), bytes]), format: 'der', type: 'spki'});

const ed25519Key = (bytes: Buffer) =>
	createPublicKey({key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]), format: 'der', type: 'spki'});

/** The newest OpenSSH client of the machine that has the exchange: the system's, or the one that `.ci/run` puts beside it. */
const newClient = ['ssh', '/usr/local/lib/switchboard-tests/openssh/usr/bin/ssh'].find(program =>
	spawnSync(program, ['-Q', 'kex'], {encoding: 'utf8'}).stdout?.includes(hybrid),
);

const whyNoDropbear =
	['dbclient', 'dropbearconvert'].some(program => spawnSync(program).error !== undefined) &&
	'no dbclient and dropbearconvert (Debian: dropbear-bin)';

suite('the key exchange', () => {
	test('the server offers what no quantum computer breaks first, and nothing that is known to be weak', async () => {
		await using server = await startServer();
		const {serverInit} = await shakeHands(server.port, ['curve25519-sha256'], Buffer.alloc(32, 9));
		const ciphers = 'aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr,aes192-ctr,aes256-ctr';
		const macs = 'hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256';
		assert.deepEqual(stringsIn(serverInit.subarray(17, -5)).map(String), [
			`${hybrid},curve25519-sha256,curve25519-sha256@libssh.org,kex-strict-s-v00@openssh.com`,
			'ssh-ed25519',
			ciphers,
			ciphers,
			macs,
			macs,
			'none',
			'none',
			'',
			'',
		]);
	});

	test('the server signs the secret of both exchanges together, as the draft has it', async () => {
		await using server = await startServer();
		const {mlKem, x25519, request} = makeRequest();
		const {clientInit, serverIdent, serverInit, answer} = await shakeHands(server.port, [hybrid, 'curve25519-sha256'], request);
		assert.equal(answer[0], messages.exchangeReply);
		const [hostKey, reply, signature] = stringsIn(answer.subarray(1)) as [Buffer, Buffer, Buffer];
		assert.equal(reply.length, 1088 + 32);
		const secret = createHash('sha256')
			.update(decapsulate(mlKem, reply.subarray(0, 1088)))
			.update(diffieHellman({privateKey: x25519, publicKey: x25519Key(reply.subarray(1088))}))
			.digest();
		const exchangeHash = createHash('sha256');
		for (const part of [clientIdent, serverIdent, clientInit, serverInit, hostKey, request, reply, secret]) {
			exchangeHash.update(sshString(part));
		}

		const [, keyBytes] = stringsIn(hostKey);
		const [, signatureBytes] = stringsIn(signature);
		assert.ok(verify(null, exchangeHash.digest(), ed25519Key(keyBytes!), signatureBytes!));
	});

	test('a client that prefers another exchange gets that one', async () => {
		await using server = await startServer();
		const {answer} = await shakeHands(server.port, ['curve25519-sha256', hybrid], makeRequest().request.subarray(-32));
		assert.equal(answer[0], messages.exchangeReply);
		assert.equal(stringsIn(answer.subarray(1))[1]?.length, 32);
	});

	test('keys that are not valid end the handshake, and cost the others nothing', async () => {
		await using server = await startServer();
		const {request} = makeRequest();
		const broken: Readonly<Record<string, Buffer>> = {
			empty: Buffer.alloc(0),
			'a classical key alone': request.subarray(-32),
			'one byte too few': request.subarray(1),
			'one byte too many': Buffer.concat([request, Buffer.alloc(1)]),
			'numbers beyond the modulus': Buffer.concat([Buffer.alloc(1184, 0xff), request.subarray(1184)]),
			'a point of low order': Buffer.concat([request.subarray(0, 1184), Buffer.alloc(32)]),
		};
		for (const [name, bytes] of Object.entries(broken)) {
			const {answer} = await shakeHands(server.port, [hybrid], bytes);
			assert.equal(answer[0], messages.disconnect, name);
			// `SSH_DISCONNECT_KEY_EXCHANGE_FAILED`
			assert.equal(answer.readUInt32BE(1), 3, name);
		}

		assert.equal((await runClient(server, ['status'])).exitCode, 0);
	});

	test('OpenSSH exchanges keys so, also anew in the middle of a session', {
		skip: newClient === undefined && `no ssh with ${hybrid}`,
	}, async () => {
		await using server = await startServer({
			async runCommand({streams}) {
				for await (const chunk of streams.stdin) {
					streams.stdout.write(chunk);
				}

				return 0;
			},
		});
		const input = 'x'.repeat(200_000);
		const words = ['-v', '-o', `KexAlgorithms=${hybrid}`, '-o', 'RekeyLimit=64K', '-o', 'LogLevel=DEBUG1'];
		const {stdout, stderr, exitCode} = await runClient({...server, program: newClient, words}, ['status'], input);
		assert.equal(exitCode, 0, stderr);
		assert.equal(stdout, input);
		const exchanges = stderr.match(/kex: algorithm: .*(?=\r?\n)/g)?.map(line => line.trim());
		assert.ok(exchanges!.length > 1, stderr);
		assert.deepEqual([...new Set(exchanges)], [`kex: algorithm: ${hybrid}`]);
	});

	test("a client of one's own settings chooses it by itself, and warns of nothing", {
		skip: newClient === undefined && `no ssh with ${hybrid}`,
	}, async () => {
		await using server = await startServer();
		const {stderr, exitCode} = await runClient({...server, program: newClient, words: ['-o', 'LogLevel=INFO', '-v']}, ['status']);
		assert.equal(exitCode, 0, stderr);
		assert.match(stderr, new RegExp(`kex: algorithm: ${hybrid}`));
		assert.doesNotMatch(stderr, /warning.*post-quantum/i);
	});

	test('OpenSSH takes GCM or a MAC of what is encrypted, and the other one only where it has nothing else', async () => {
		await using server = await startServer();
		for (const [words, chosen] of [
			[[], 'aes128-ctr MAC: hmac-sha2-256-etm@openssh.com'],
			[['Ciphers=aes256-gcm@openssh.com'], 'aes256-gcm@openssh.com MAC: <implicit>'],
			[['Ciphers=aes128-ctr', 'MACs=hmac-sha2-512-etm@openssh.com'], 'aes128-ctr MAC: hmac-sha2-512-etm@openssh.com'],
			[['Ciphers=aes128-ctr', 'MACs=hmac-sha2-256'], 'aes128-ctr MAC: hmac-sha2-256'],
		] as const) {
			const {stderr, exitCode} = await runClient({...server, words: ['-v', ...words.flatMap(word => ['-o', word])]}, ['status']);
			assert.equal(exitCode, 0, stderr);
			assert.deepEqual(new Set(stderr.match(/(?<=cipher: ).*MAC: \S+/g)), new Set([chosen]));
		}
	});

	test("Dropbear's dbclient runs a command: its input, both outputs and the exit code pass", {skip: whyNoDropbear}, async () => {
		await using server = await startServer({
			async runCommand({streams}, words) {
				for await (const chunk of streams.stdin) {
					streams.stdout.write(chunk);
				}

				streams.stderr.write(words.join(' '));
				return 4;
			},
		});
		const input = 'x'.repeat(200_000);
		const {stdout, stderr, exitCode} = await runDropbear(server, ['enable', 'pantry'], input);
		assert.deepEqual([stdout, exitCode], [input, 4], stderr);
		assert.match(stderr, /enable pantry$/);
	});

	test('ssh2 is the version whose private fields were read', () => {
		const {version} = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../node_modules/ssh2/package.json'), 'utf8')) as {
			version: string;
		};
		assert.equal(version, '1.17.0', 'Read what source/ssh/inside-ssh2.ts uses of it again, then name the new version here.');
	});
});
