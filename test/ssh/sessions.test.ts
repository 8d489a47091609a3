import {addTo, assert, assertMapped, Buffer, createHash, delay, net, once, process, test, text} from '../helpers/node.ts';
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import {finished} from 'node:stream/promises';
import type ssh2 from 'ssh2';
import {SwitchboardError, toSwitchboardError} from '../../source/interface/errors.ts';
import type {RemoteSession} from '../../source/settings/remote-session.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {connectClient} from './held-requests.ts';
import {startServer} from './running-server.ts';
import {makeKey, openClient, runClient, startClient} from './ssh-client.ts';

/** Waits until the session has to end, says why, and resolves to the exit code. */
async function untilEnded({streams, signal}: RemoteSession): Promise<number> {
	if (!signal.aborted) {
		await once(signal, 'abort');
	}

	const reason = toSwitchboardError(signal.reason);
	streams.stdout.write(`${reason.message}\n`);
	return reason.exitCode;
}

/** A program for a terminal that echoes its keys and its size. */
async function echoKeys(session: RemoteSession): Promise<number> {
	const {
		streams: {stdin, stdout},
		env,
	} = session;
	stdout.write(`open ${env['TERM']} ${stdout.columns}x${stdout.rows}\n`);
	stdout.on('resize', () => {
		stdout.write(`resized ${stdout.columns}x${stdout.rows}\n`);
	});
	stdin.setEncoding('utf8');
	let typed = '';
	const quit = Promise.withResolvers<undefined>();
	stdin.on('data', (keys: string) => {
		typed += keys;
		stdout.write(`typed ${JSON.stringify(typed)}\n`);
		if (typed.endsWith('q')) {
			quit.resolve(undefined);
		}
	});
	await Promise.race([untilEnded(session), quit.promise]);
	return session.signal.aborted ? toSwitchboardError(session.signal.reason).exitCode : 5;
}

test('a session knows its person by the comment of the key, cleaned and cut, else by the fingerprint', async () => {
	await using server = await startServer({
		async runCommand({person, streams: {stdout}}) {
			stdout.write(JSON.stringify(person));
			return 0;
		},
	});
	const [type, blob] = readFileSync(server.keysFile, 'utf8').trim().split(' ', 2);
	const fingerprint = `SHA256:${createHash('sha256').update(Buffer.from(blob!, 'base64')).digest('base64').replace(/=+$/, '')}`;
	const cases = [
		['anna@laptop', 'anna@laptop'],
		['anna \u{202E}of the hut\u{200B}', 'anna of the hut'],
		['x'.repeat(5000), `${'x'.repeat(59)}…`],
		['', fingerprint],
	] as const;
	for (const [comment, name] of cases) {
		writeFileSync(server.keysFile, `${type} ${blob} ${comment}\n`);
		await waitUntil(async () => {
			const {stdout} = await runClient(server, ['status']);
			return stdout === JSON.stringify({name, address: '127.0.0.1'});
		});
	}
});

test('a session has the time zone of the key, else the one that the client sends, else that of the server', async () => {
	await using server = await startServer({
		async runCommand({timeZone, streams: {stdout}}) {
			stdout.write(JSON.stringify(timeZone));
			return 0;
		},
	});
	const line = readFileSync(server.keysFile, 'utf8');
	const zoneWith = async (...words: readonly string[]) => JSON.parse((await runClient({...server, words}, ['status'])).stdout) as unknown;
	assert.deepEqual(await zoneWith('-o', 'SetEnv=TZ=Asia/Kathmandu'), {zone: 'Asia/Kathmandu', isOwn: true});
	assert.deepEqual(await zoneWith('-o', 'SetEnv=TZ=nonsense'), {isOwn: false});
	writeFileSync(server.keysFile, `timezone="Europe/Berlin" ${line}`);
	await waitUntil(async () => JSON.stringify(await zoneWith('-o', 'SetEnv=TZ=UTC')) === '{"zone":"Europe/Berlin","isOwn":true}');
});

test('a command gets its words, its input, its outputs and its exit code as they are', async () => {
	const bytes = Buffer.from(Array.from({length: 300_000}, (_, index) => (index * 7) % 256));
	await using server = await startServer({
		async runCommand({streams: {stdin, stdout, stderr}}, words) {
			stderr.write(`${JSON.stringify(words)}\n`);
			assert.equal(stdout.isTTY, false);
			for await (const chunk of stdin) {
				if (!stdout.write(chunk)) {
					await once(stdout, 'drain');
				}
			}

			return 42;
		},
	});
	const child = startClient(server, ['plan', '-', "'a b'", String.raw`"c\"d"`]);
	child.stdin.end(bytes);
	const chunks: Buffer[] = [];
	child.stdout.on('data', addTo(chunks));
	const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>]);
	assert.deepEqual({stderr, exitCode}, {stderr: '["plan","-","a b","c\\"d"]\n', exitCode: 42});
	assert.ok(Buffer.concat(chunks).equals(bytes));
});

test('several megabytes arrive whole, and wait for a slow reader', async () => {
	const line = `${'x'.repeat(99)}\n`;
	let mostQueued = 0;
	await using server = await startServer({
		async runCommand({streams: {stdout}}) {
			for (let count = 0; count < 50_000; count++) {
				if (stdout.write(line)) {
					continue;
				}

				mostQueued = Math.max(mostQueued, stdout.writableLength);
				await once(stdout, 'drain');
			}

			return 0;
		},
	});
	const {stdout, exitCode} = await runClient(server, ['export']);
	assert.equal(exitCode, 0);
	assert.equal(stdout.length, 5_000_000);
	assert.ok(mostQueued < 100_000, String(mostQueued));
});

test('a command line with an open quotation mark, and the screens without a terminal, are refused', async () => {
	await using server = await startServer();
	const quote = await runClient(server, ['enable', "'a"]);
	assert.deepEqual(quote, {
		stdout: '',
		stderr:
			'The command has a quotation mark that is not closed, or ends with a backslash.\nQuote it once more for the shell that runs ssh.\n',
		exitCode: 2,
	});
	const screens = await runClient(server, []);
	assert.deepEqual(
		{...screens, stderr: screens.stderr.split('\n', 1)[0]},
		{stdout: '', stderr: 'The screens need a terminal.', exitCode: 2},
	);
});

test('the screens get the terminal, its size, ten fast keys and their resizes', async () => {
	await using server = await startServer({openUi: echoKeys});
	await using terminal = openClient(server);
	await terminal.waitFor('open xterm-256color 80x24');
	await terminal.resize(40, 10).waitFor('resized 40x10');
	await terminal.press(...'jjjjjkkkkk').waitFor('typed "jjjjjkkkkk"');
	await terminal.press('ctrl+c').waitFor(String.raw`typed "jjjjjkkkkk\u0003"`);
	assert.equal((await terminal.press('q').exited).exitCode, 5);
});

test('of the environment only language, colour and time zone come along', async () => {
	await using server = await startServer({
		async runCommand({env, streams: {stdout}}) {
			stdout.write(JSON.stringify(env));
			return 0;
		},
	});
	const names = [
		'LANG',
		'LC_ALL',
		'LC_CTYPE',
		'NO_COLOR',
		'COLORTERM',
		'TZ',
		'SWITCHBOARD_TIMEZONE',
		'SWITCHBOARD_API_KEY',
		'OPENHOME_API_KEY',
		'OPENHOME_JWT',
		'EDITOR',
		'LC_lower',
		'PATH',
		'TERM',
	];
	const env = Object.fromEntries(names.map(name => [name, name === 'LC_CTYPE' ? `de_DE.UTF-8\u{1B}[31m${'x'.repeat(300)}` : 'C.UTF-8']));
	const words = ['-o', `SendEnv=${names.join(' ')}`];
	const {stdout} = await runClient({...server, words, env: {...env, PATH: process.env['PATH']!}}, ['status']);
	const sent = JSON.parse(stdout) as Record<string, string>;
	assert.deepEqual(Object.keys(sent).toSorted(), ['COLORTERM', 'LANG', 'LC_ALL', 'LC_CTYPE', 'NO_COLOR', 'SWITCHBOARD_TIMEZONE', 'TZ']);
	assert.ok(sent['LC_CTYPE']!.length <= 100);
	assert.ok(!sent['LC_CTYPE']!.includes('\u{1B}'));
});

test('a command in a terminal gets line breaks, and Ctrl+C interrupts it', async () => {
	await using server = await startServer({
		async runCommand(session) {
			session.streams.stderr.write('one\ntwo\n');
			return untilEnded(session);
		},
	});
	await using terminal = openClient({...server, words: ['-tt']}, ['watch']);
	await terminal.waitFor(lines => lines[0] === 'one' && lines[1] === 'two');
	await terminal.press('ctrl+c').waitFor('Interrupted.');
	assert.equal((await terminal.exited).exitCode, 130);
});

test('sftp, forwarding of every kind and an agent are refused', async () => {
	await using server = await startServer({runCommand: async () => 3});
	const sftp = await runClient({...server, words: ['-s']}, ['sftp']);
	assert.equal(sftp.exitCode, 255);
	assert.match(sftp.stderr, /subsystem request failed/);
	assert.equal((await runClient({...server, words: ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1']}, ['status'])).exitCode, 255);
	const socket = await runClient({...server, words: ['-o', 'ExitOnForwardFailure=yes', '-R', `${server.folder}/socket:127.0.0.1:1`]}, [
		'status',
	]);
	assert.equal(socket.exitCode, 255);
	const through = await runClient({...server, words: ['-W', '127.0.0.1:1']}, []);
	assert.equal(through.exitCode, 255);
	assert.match(through.stderr, /forwarding failed|open failed/);
	// The command itself runs; nothing is forwarded for it.
	const besides = await runClient({...server, words: ['-A', '-X'], env: {DISPLAY: ':1', SSH_AUTH_SOCK: '/nowhere'}}, ['status']);
	assert.equal(besides.exitCode, 3);
});

test('a client that is killed hangs up its session', async () => {
	const reasons: string[] = [];
	await using server = await startServer({
		async runCommand(session) {
			session.streams.stdout.write('running\n');
			await untilEnded(session);
			reasons.push(toSwitchboardError(session.signal.reason).kind);
			return 129;
		},
	});
	const child = startClient(server, ['watch']);
	await once(child.stdout, 'data');
	child.kill('SIGKILL');
	await waitUntil(() => reasons.length > 0 && server.log.length > 0);
	assert.deepEqual(reasons, ['hangup']);
	assert.match(server.log[0]!, /: watch, \S+ s, exit code 129$/);
});

test('a line that stops holds up neither the other sessions nor much of its own output', async () => {
	let written = 0;
	let waits = 0;
	await using server = await startServer({
		async openUi({streams: {stdout}, signal}) {
			// As the screens do: the next frame when the line has taken the last one.
			while (!signal.aborted) {
				await new Promise<void>(resolve => {
					stdout.write('x'.repeat(999), () => resolve());
				});
				written += 999;
				waits++;
			}

			return 0;
		},
		runCommand: async () => 7,
	});
	const upstream = net.connect(server.port, '127.0.0.1');
	const relay = net
		.createServer(socket => {
			socket.pipe(upstream).pipe(socket);
			socket.on('error', () => undefined);
		})
		.listen(0, '127.0.0.1');
	upstream.on('error', () => undefined);
	await once(relay, 'listening');
	await using terminal = openClient({...server, port: (relay.address() as net.AddressInfo).port});
	await waitUntil(() => waits > 10);
	upstream.pause();
	upstream.unpipe();
	const stoppedAt = written;
	assert.equal((await runClient(server, ['status'])).exitCode, 7);
	assert.ok(written - stoppedAt <= 32 * 1024, String(written - stoppedAt));
	upstream.destroy();
	relay.close();
	await waitUntil(() => server.log.some(line => line.includes('shell')));
	terminal.kill('SIGKILL');
});

test('an error in a session ends that one with a sentence, and no other', async () => {
	await using server = await startServer({
		async openUi(session) {
			session.streams.stdin.on('data', (keys: Buffer) => {
				if (keys.includes('x')) {
					throw new Error('A handler failed.');
				}

				session.streams.stdout.write(`typed ${String(keys)}\n`);
			});
			session.streams.stdout.write('open\n');
			return untilEnded(session);
		},
		async runCommand() {
			throw new Error('A command failed.');
		},
	});
	await using bystander = openClient(server);
	await bystander.waitFor('open');
	await using victim = openClient(server);
	await victim.waitFor('open');
	await victim.press('x').waitFor('An unexpected error has ended this session.');
	assert.equal((await victim.exited).exitCode, 1);
	const {stderr, exitCode} = await runClient(server, ['status']);
	assert.match(stderr, /^An unexpected error has ended this command\.\n/);
	assert.equal(exitCode, 1);
	await bystander.press('j').waitFor('typed j');
	assertMapped(server.faults, fault => (fault as Error).message, ['A handler failed.', 'A command failed.']);
});

test('removing the line of a key ends its sessions, and no others', async () => {
	await using server = await startServer({openUi: echoKeys});
	const other = makeKey(server.folder, 'bob');
	appendFileSync(server.keysFile, `${other.line}\n`);
	await using removed = openClient(server);
	await using stays = openClient({port: server.port, key: other});
	await Promise.all([removed.waitFor('open'), stays.waitFor('open')]);
	writeFileSync(server.keysFile, `# gone\n${other.line}\n`);
	await removed.waitFor('Your key was removed from this server.');
	assert.equal((await removed.exited).exitCode, 3);
	await stays.press('j').waitFor('typed "j"');
	assert.equal((await runClient(server, ['status'])).exitCode, 255);
});

test('restricting the line of a key ends its sessions; adding a comment does not', async () => {
	for (const options of ['read-only', 'profile="other"', 'from="192.0.2.1"', 'command="sh"']) {
		await using server = await startServer({openUi: echoKeys});
		await using terminal = openClient(server);
		await terminal.waitFor('open');
		writeFileSync(server.keysFile, `# the team\n${readFileSync(server.keysFile, 'utf8').trim()} and more\n`);
		await terminal.press('j').waitFor('typed "j"');
		writeFileSync(server.keysFile, `${options} ${server.key.line}\n`);
		await terminal.waitFor(/Your key was removed|The rights of your key on this server have changed/);
		assert.equal((await terminal.exited).exitCode, 3);
	}
});

test('everyone is told when the server ends, and their sessions end in order', async () => {
	await using server = await startServer({
		openUi: echoKeys,
		async runCommand(session) {
			session.streams.stdout.write('running\n');
			const exitCode = await untilEnded(session);
			// What must be reported takes its time.
			await delay(50);
			session.streams.stdout.write('reported\n');
			return exitCode;
		},
	});
	await using terminal = openClient(server);
	await terminal.waitFor('open');
	const command = startClient(server, ['disable', 'nightwatch']);
	await once(command.stdout, 'data');
	const output = text(command.stdout);
	const [exitCode] = await Promise.all([
		once(command, 'close'),
		server.server.close(new SwitchboardError('terminated', 'The server is shutting down.')),
	]);
	assert.equal(await output, 'The server is shutting down.\nreported\n');
	assert.deepEqual(exitCode, [143, null]);
	await terminal.waitFor('The server is shutting down.').catch(() => assert.fail(terminal.screen().join('\n')));
	assert.equal((await terminal.exited).exitCode, 143);
});

test('a hundred sessions of one key run at once; one more is told that there is no room, which is kept for others', async () => {
	let open = 0;
	await using server = await startServer({
		limits: {sessions: 200},
		async runCommand(session) {
			open++;
			session.streams.stdout.write('open\n');
			await finished(session.streams.stdin.resume());
			open--;
			return 0;
		},
	});
	// Each connection takes ten sessions; clients in this process leave the machine some room.
	const clients = await Promise.all(Array.from({length: 10}, async () => connectClient(server)));
	const channels = await Promise.all(
		clients.flatMap(client =>
			Array.from(
				{length: 10},
				async () =>
					new Promise<ssh2.ClientChannel>((resolve, reject) => {
						client.exec('watch', (error, channel) => {
							if (error === undefined) {
								resolve(channel);
							} else {
								reject(error);
							}
						});
					}),
			),
		),
	);
	await waitUntil(() => open === 100);
	const {stderr, exitCode} = await runClient(server, ['status']);
	assert.match(stderr, /as many sessions as it can serve/);
	assert.equal(exitCode, 5);
	const other = makeKey(server.folder, 'bob');
	appendFileSync(server.keysFile, `${other.line}\n`);
	assert.equal((await runClient({port: server.port, key: other}, ['status'])).exitCode, 0);
	for (const channel of channels) {
		channel.end();
	}

	await waitUntil(() => open === 0);
	const last = startClient(server, ['status']);
	last.stdin.end();
	assert.deepEqual(await once(last, 'close'), [0, null]);
	for (const client of clients) {
		client.end();
	}
});

test('a client that sends more than its window allows is cut off', async () => {
	await using server = await startServer({runCommand: untilEnded});
	const client = await connectClient(server);
	const {promise: closed, resolve} = Promise.withResolvers<void>();
	client.once('close', () => resolve());
	let timer: NodeJS.Immediate | undefined;
	client.exec('apply -', (error, channel) => {
		assert.ifError(error);
		// Past the window, which this size never fills exactly, and past what the library itself would send.
		const {outgoing} = channel as unknown as {readonly outgoing: {window: number}};
		const send = (): void => {
			outgoing.window = 1024 * 1024;
			channel.write(Buffer.alloc(60_000));
			timer = setImmediate(send);
		};

		send();
	});
	await closed;
	clearImmediate(timer);
	await waitUntil(() => server.log.some(line => line.includes('exit code 129')));
});
