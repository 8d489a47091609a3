import {assert, Buffer, mkdirSync, once, path, randomBytes, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {createServer, type AddressInfo} from 'node:net';
import {htmlAnswer, jsonAnswer} from '../helpers/answers.ts';
import {startLiveLikeService, type LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import {type CommandResult} from '../helpers/run-command.ts';
import {
	createIsolatedHome,
	ended,
	jsonError,
	lastError,
	openTerminal,
	parseJson,
	runCommand,
	runOnTerminal,
	startOddService,
} from './kit.ts';

async function start(t: TestContext, options: LiveLikeServiceOptions = {}) {
	const home = createIsolatedHome();
	const service = await startLiveLikeService(options);
	t.after(async () => service.close());
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
	return {
		home,
		service,
		env,
		run: async (words: readonly string[], stdin?: string | Uint8Array): Promise<CommandResult> =>
			runCommand(words, {env, stdin, cwd: home.folder}),
	};
}

type Named = {readonly id: number; readonly name: string; readonly description?: string};

const namesOf = (entries: readonly unknown[]): readonly string[] => entries.map(entry => (entry as Named).name);

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

test('agents edit changes only what is given', async (t: TestContext) => {
	const {run, service} = await start(t);
	const renamed = await run(['agents', 'edit', 'hearth', '--name', 'Hob', '--json']);
	assert.deepEqual(parseJson(renamed.stdout), {...(service.agents[0] as object), name: 'Hob', personality_id: 1});
	const described = await run(['agents', 'edit', '1', '--prompt-file', '-'], 'You look after\na kitchen.\n');
	assert.equal(described.stdout, '1\tHob\t\tYou look after\n');
	assert.deepEqual(service.agents[0], {...(service.agents[0] as object), name: 'Hob', description: 'You look after\na kitchen.\n'});
	assert.deepEqual(service.ties.get(1), [21, 22]);
});

test('--abilities takes ids and names, and changes nothing if one is unknown', async (t: TestContext) => {
	const {run, service} = await start(t);
	const unknown = await run(['agents', 'edit', 'Hearth', '--name', 'Hob', '--abilities', 'lamps,lanps', '--json']);
	assert.deepEqual([unknown.exitCode, unknown.stdout, lastError(unknown).kind], [4, '', 'not-found']);
	assert.deepEqual([namesOf(service.agents)[0], service.ties.get(1)], ['Hearth', [21, 22]]);
	await run(['agents', 'edit', 'Hearth', '--abilities', 'LAMPS, 24', '--yes']);
	assert.deepEqual(service.ties.get(1), [21, 24]);
	await run(['agents', 'edit', 'Hearth', '--no-abilities', '--yes']);
	assert.deepEqual(service.ties.get(1), []);
});

test('with --json an agent that is not changed after a no is printed too', async (t: TestContext) => {
	const {env} = await start(t);
	const [exitCode, ...lines] = await runOnTerminal(['agents', 'edit', 'Porch', '--no-abilities', '--json'], {env, typed: 'n\r'});
	assert.equal(exitCode, 2);
	const printed = lines.slice(lines.indexOf('{'), lines.indexOf('}') + 1).join('');
	assert.equal((parseJson(printed) as {readonly personality_id: number}).personality_id, 2);
	assert.equal(`${lines.at(-1)!}\n`, jsonError('cancelled', 'Nothing was changed.'));
});

test('a prompt that is not UTF-8 or too large is refused', async (t: TestContext) => {
	const {run, home, service} = await start(t);
	const count = service.requests.length;
	const noText = Buffer.from([0x50, 0xff, 0xfe, 0x0a]);
	writeFileSync(path.join(home.folder, 'noise.bin'), noText);
	const results = [
		await run(['agents', 'edit', 'Hearth', '--prompt', '-', '--json'], noText),
		await run(['agents', 'edit', 'Hearth', '--prompt-file', '-', '--json'], noText),
		await run(['agents', 'edit', 'Hearth', '--prompt-file', 'noise.bin', '--json']),
		await run(['agents', 'edit', 'Hearth', '--prompt', '-', '--json'], Buffer.alloc(2 * 1024 * 1024, 'y')),
		await run(['agents', 'edit', 'Hearth', '--prompt-file', '/dev/zero', '--json']),
	];
	assert.deepEqual(
		results.map(result => [result.exitCode, lastError(result).kind]),
		results.map(() => [2, 'usage']),
	);
	assert.deepEqual(
		results.map(result => /not UTF-8|larger than 1 MiB/.exec(lastError(result).message)?.[0]),
		['not UTF-8', 'not UTF-8', 'not UTF-8', 'larger than 1 MiB', 'larger than 1 MiB'],
	);
	assert.deepEqual(
		service.requests.slice(count).filter(({method}) => method !== 'GET'),
		[],
	);
});

test('upload takes name and triggers from config.json, and gives the ability to an agent', async (t: TestContext) => {
	const {run, home, service} = await start(t);
	writeAbility(home.folder, 'cellar');
	const uploaded = await run(
		['abilities', 'upload', 'cellar', '--agent', 'porch', '--description', '-', '--json'],
		'What is in the cellar',
	);
	const {capability_id: id, ...rest} = parseJson(uploaded.stdout) as {capability_id: number; name: string; detail: string};
	assert.deepEqual([uploaded.exitCode, rest.name, typeof rest.detail], [0, 'cellar', 'string']);
	assert.equal(uploaded.stderr, 'Skipped: __pycache__/\n');
	const stored = service.abilities.find(ability => (ability as Named).id === id) as Named & {readonly trigger_words: readonly string[]};
	assert.deepEqual([stored.name, stored.description, stored.trigger_words], ['cellar', 'What is in the cellar', ['what is in the pantry']]);
	assert.deepEqual(
		service.sources
			.get(id)
			?.map(file => file.path)
			.toSorted(),
		['__init__.py', 'config.json', 'main.py'],
	);
	assert.ok(service.ties.get(2)?.includes(id));
});

test('options of upload beat config.json, and a pipe gets id, name and answer', async (t: TestContext) => {
	const {run, home, service} = await start(t);
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
	const {run, home, service} = await start(t);
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
	const {run, home, service} = await start(t);
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

test('a web page in answer to an upload is an error', async (t: TestContext) => {
	const home = createIsolatedHome();
	const service = await startOddService({'*': htmlAnswer('<html>Sign in</html>')});
	t.after(async () => service.close());
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
	const result = await runCommand(['abilities', 'upload', writeAbility(home.folder, 'cellar'), '--json'], {env});
	assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [5, '', 'unintelligible']);
	assert.match(lastError(result).message, /cellar may still have been uploaded/);
});

for (const deletion of ['documented', 'batch', 'older'] as const) {
	test(`abilities delete works with the ${deletion} way of deleting`, async (t: TestContext) => {
		const {run, service} = await start(t, {deletion});
		const {stdout, exitCode} = await run(['abilities', 'delete', '22', 'Lamps', '--yes', '--json']);
		assert.deepEqual(
			[exitCode, parseJson(stdout)],
			[
				0,
				[
					{capability_id: 22, name: 'pantry', deleted: true},
					{capability_id: 21, name: 'lamps', deleted: true},
				],
			],
		);
		assert.deepEqual(namesOf(service.abilities), ['nightwatch', 'desk']);
	});
}

test('an upload that is interrupted before all is sent says that it has not arrived', async (t: TestContext) => {
	const {env, home} = await start(t);
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
	const {env, home, service} = await start(t);
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

test('an ability missing from an incomplete list does not count as deleted', async (t: TestContext) => {
	const home = createIsolatedHome();
	let listCount = 0;
	const listPath = '/api/capabilities/get-all-capability/';
	const service = await startOddService({
		[listPath]: () => jsonAnswer({results: [++listCount === 1 ? {id: 7, name: 'lamps'} : {id: 8, name: 'pantry'}], next: listPath}),
	});
	t.after(async () => service.close());
	const result = await runCommand(['abilities', 'delete', '7', '--yes', '--json'], {
		env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey},
	});
	assert.deepEqual(
		[result.exitCode, parseJson(result.stdout)],
		[4, [{capability_id: 7, name: 'lamps', deleted: false, error: lastError(result)}]],
	);
	assert.equal(lastError(result).kind, 'not-found');
});
