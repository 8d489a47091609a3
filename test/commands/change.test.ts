import {assert, Buffer, mkdirSync, once, path, randomBytes, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {createServer, type AddressInfo} from 'node:net';
import {ended, jsonAnswer, jsonError, lastError, openTerminal, parseJson, runCommand, runOnTerminal, startLiveLike} from './kit.ts';

type Named = {readonly id: number; readonly name: string; readonly description?: string};

function writeAbility(folder: string, name: string): string {
	const place = path.join(folder, name);
	mkdirSync(path.join(place, '__pycache__'), {recursive: true});
	writeFileSync(path.join(place, 'main.py'), 'print("hello")\n');
	writeFileSync(path.join(place, '__init__.py'), '');
	writeFileSync(path.join(place, 'config.json'), JSON.stringify({unique_name: name, matching_hotwords: ['what is in the pantry']}));
	writeFileSync(path.join(place, '__pycache__', 'main.pyc'), 'x');
	return place;
}

/** Answers a read with an empty list; of a write it takes a little, and never reads on. */
async function startDeafServer() {
	const asked = Promise.withResolvers<void>();
	const server = createServer(socket => {
		socket.on('error', () => undefined);
		socket.on('data', (bytes: Buffer) => {
			if (bytes.toString().startsWith('GET ')) {
				socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]');
				return;
			}

			socket.pause();
			asked.resolve();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {server, baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: asked.promise};
}

test('with --json an agent that is not changed after a no is printed too', async (t: TestContext) => {
	const {env} = await startLiveLike(t);
	const [exitCode, ...lines] = await runOnTerminal(['agents', 'edit', 'Porch', '--no-abilities', '--json'], {env, typed: 'n\r'});
	assert.equal(exitCode, 2);
	const printed = lines.slice(lines.indexOf('{'), lines.indexOf('}') + 1).join('');
	assert.equal((parseJson(printed) as {readonly personality_id: number}).personality_id, 2);
	assert.equal(`${lines.at(-1)!}\n`, jsonError('cancelled', 'Nothing was changed.'));
});

test('a prompt that is not UTF-8 or too large is refused', async (t: TestContext) => {
	const {run, home, service} = await startLiveLike(t);
	const count = service.requests.length;
	const noText = Buffer.from([0x50, 0xff, 0xfe, 0x0a]);
	writeFileSync(path.join(home.folder, 'noise.bin'), noText);
	const results = [
		await run(['agents', 'edit', 'Hearth', '--prompt', '-', '--json'], {stdin: noText}),
		await run(['agents', 'edit', 'Hearth', '--prompt-file', '-', '--json'], {stdin: noText}),
		await run(['agents', 'edit', 'Hearth', '--prompt-file', 'noise.bin', '--json']),
		await run(['agents', 'edit', 'Hearth', '--prompt', '-', '--json'], {stdin: Buffer.alloc(2 * 1024 * 1024, 'y')}),
		await run(['agents', 'edit', 'Hearth', '--prompt-file', '/dev/zero', '--json']),
	];
	assert.deepEqual(
		results.map(result => [result.exitCode, lastError(result).kind]),
		results.map(() => [2, 'usage']),
	);
	assert.deepEqual(
		results.map(result => /not UTF-8|larger than 1 MB/.exec(lastError(result).message)?.[0]),
		['not UTF-8', 'not UTF-8', 'not UTF-8', 'larger than 1 MB', 'larger than 1 MB'],
	);
	assert.deepEqual(
		service.requests.slice(count).filter(({method}) => method !== 'GET'),
		[],
	);
});

test('options of upload beat config.json, and a pipe gets id, name and answer', async (t: TestContext) => {
	const {run, home, service} = await startLiveLike(t);
	writeAbility(home.folder, 'cellar');
	const {stdout} = await run([
		'abilities',
		'upload',
		'./cellar',
		'--name',
		'Wine',
		'--category',
		'brain_skill',
		'--triggers',
		'what wine is there, red wine',
	]);
	const [id, name] = stdout.split('\t', 2);
	const stored = service.abilities.find(ability => String((ability as Named).id) === id) as Named & {
		readonly trigger_words: readonly string[];
		readonly category: string;
	};
	assert.deepEqual(
		[name, stored.name, stored.category, stored.trigger_words],
		['Wine', 'Wine', 'brain_skill', ['what wine is there', 'red wine']],
	);
});

test('upload of an ability that exists leads to the command that releases a new version', async (t: TestContext) => {
	const {run, home, service} = await startLiveLike(t);
	writeAbility(home.folder, 'cellar');
	service.abilities.push({id: 50, name: 'Cellar'});
	const refuse = (status: number, detail: string): void =>
		service.failNext({...jsonAnswer({detail}, status), when: ({path: place}) => place.endsWith('/add-capability/')});

	const step = 'To release a new version of it: switchboard abilities push cellar --ability cellar\n';
	const skipped = 'Skipped: __pycache__/\nThere is an ability with nearly the same name: 50 (Cellar).\n';
	refuse(409, 'This name is taken');
	assert.deepEqual(
		await run(['abilities', 'upload', 'cellar']),
		ended(2, '', `${skipped}The service reports a conflict: This name is taken.\n${step}`),
	);
	// Not every service has a status of its own for it.
	refuse(400, 'This name is taken');
	assert.deepEqual(
		await run(['abilities', 'upload', 'cellar']),
		ended(2, '', `${skipped}The service refused the request: This name is taken.\n${step}`),
	);
	refuse(400, 'The shelf is full');
	const other = await run(['abilities', 'upload', 'cellar', '--name', 'attic']);
	assert.deepEqual(
		other,
		ended(2, '', `Skipped: __pycache__/\nThe service refused the request: The shelf is full.\nCorrect what was sent, then try again.\n`),
	);
});

test('upload checks the folder before it sends anything', async (t: TestContext) => {
	const {run, home, service} = await startLiveLike(t);
	const count = service.requests.length;
	mkdirSync(path.join(home.folder, 'empty'));
	const results = [
		await run(['abilities', 'upload', 'empty', '--json']),
		await run(['abilities', 'upload', 'nowhere', '--json']),
		await run(['abilities', 'upload', writeAbility(home.folder, 'cellar'), '--triggers', 'x', '--json']),
		await run(['abilities', 'upload', 'cellar', '--category', 'magic', '--json']),
	];
	assert.deepEqual(
		results.map(({exitCode, stdout}) => [exitCode, stdout]),
		results.map(() => [2, '']),
	);
	assert.deepEqual(
		results.map(result => lastError(result).kind),
		['refused', 'refused', 'refused', 'usage'],
	);
	assert.equal(service.requests.length, count);
});

test('an upload that is interrupted before all is sent says that it has not arrived', async (t: TestContext) => {
	const {env, home} = await startLiveLike(t);
	const {server, baseAddress, asked} = await startDeafServer();
	t.after(() => {
		server.close();
	});
	const place = writeAbility(home.folder, 'cellar');
	// More than the line between them holds.
	writeFileSync(path.join(place, 'sounds.bin'), randomBytes(15 * 1024 * 1024));
	const interruption = new AbortController();
	const running = runCommand(['abilities', 'upload', place], {
		env: {...env, SWITCHBOARD_BASE_URL: baseAddress},
		abort: interruption.signal,
	});
	await asked;
	interruption.abort('SIGINT');
	const {exitCode, stderr} = await running;
	assert.equal(exitCode, 130);
	assert.match(stderr, /\ncellar was not uploaded\.\nInterrupted\.\n$/);
});

test('the messages of an interrupted upload do not mix with its progress', async (t: TestContext) => {
	const {env, home, service} = await startLiveLike(t);
	const release = service.hold({when: ({method}) => method === 'POST'});
	await using terminal = openTerminal(['abilities', 'upload', writeAbility(home.folder, 'cellar')], {env, columns: 120});
	await terminal.waitFor('Uploaded cellar; waiting for the answer …');
	terminal.press('ctrl+c');
	assert.equal((await terminal.exited).exitCode, 130);
	release();
	assert.deepEqual(terminal.lines(), [
		'Skipped: __pycache__/',
		'It is not known whether cellar has arrived: check the list before you upload it again.',
		'Interrupted.',
	]);
});
