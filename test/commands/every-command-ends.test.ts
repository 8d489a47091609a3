import {assert, delay, once, process, spawn, test, type TestContext} from '../helpers/node.ts';
import {startTimeLimit} from '../../source/commands/context.ts';
import {faultCases} from '../helpers/faults.ts';
import type {RecordedRequest} from '../helpers/recorded-requests.ts';
import {lastError, parseJson} from './served-home.ts';
import {installedRecord, isRead, isWrite, startLiveLike} from './start-live-like.ts';
import {environmentFor, jsonAnswer, openTerminal, programFile, runCommand, startFaultRelay, startOddService, waitUntil} from './kit.ts';

const names = ['Lamp', 'Radio', 'Desk', 'Porch', 'Attic', 'Cellar', 'Stove'];

const homeOf = (count: number) => ({installed: names.slice(0, count).map((name, index) => installedRecord(index + 1, name, true))});

async function startBehindFault(t: TestContext, title: string) {
	const place = await startLiveLike(t, {home: homeOf(2)});
	const relay = await startFaultRelay(t, {target: place.service});
	const {fault} = faultCases.find(candidate => candidate.title === title)!;
	let connectionCount = 0;
	relay.put(socket => {
		connectionCount++;
		fault(socket);
	});
	return {...place, env: {...place.env, SWITCHBOARD_BASE_URL: relay.baseAddress}, connectionCount: () => connectionCount};
}

const endless = ['silence', 'a header that trickles without end', 'an answer that trickles without end', 'HTTP 102 again and again'];

for (const title of endless) {
	test(`--timeout ends a command on a service with ${title}`, async (t: TestContext) => {
		const {env} = await startBehindFault(t, title);
		const results = await Promise.all(
			[['installed'], ['toggle', 'lamp'], ['abilities', 'get', '21']].map(async words =>
				runCommand([...words, '--json', '--timeout', '0.5'], {env}),
			),
		);
		assert.deepEqual(
			results.map(result => [result.exitCode, result.stdout, lastError(result).kind]),
			results.map(() => [5, '', 'timeout']),
		);
	});
}

test('a signal ends a command at once, whatever the service sends', async (t: TestContext) => {
	await Promise.all(
		endless.map(async title => {
			const {env, connectionCount} = await startBehindFault(t, title);
			const interruption = new AbortController();
			const running = runCommand(['installed'], {env, abort: interruption.signal});
			await waitUntil(() => connectionCount() > 0);
			interruption.abort('SIGINT');
			// Far less than the 15 s after which it would end by itself, and far more than it takes.
			const result = await Promise.race([running, delay(10_000, undefined, {ref: false})]);
			assert.equal(result?.exitCode, 130, title);
		}),
	);
});

test('--timeout is the limit for all pages of a list together, and the message says how many were read', async (t: TestContext) => {
	const service = await startOddService({
		'*'({query}: RecordedRequest) {
			const page = Number(new URLSearchParams(query).get('page') ?? 1);
			return page === 4
				? {isHanging: true}
				: jsonAnswer({results: [installedRecord(page, `Lamp ${page}`, true)], next: `?page=${page + 1}`});
		},
	});
	t.after(async () => service.close());
	const env = environmentFor(service);
	const result = await runCommand(['installed', '--json', '--timeout', '2'], {env});
	assert.deepEqual(
		[result.exitCode, result.stdout, lastError(result)],
		[
			5,
			'',
			{
				kind: 'timeout',
				message:
					'The command took longer than 2 s. Read so far: 3 records on 3 pages; the list is not complete. Allow more time with --timeout DURATION.',
			},
		],
	);
});

test('when the time is up before the next attempt, the failure of the last one is reported', async (t: TestContext) => {
	const service = await startOddService({
		'*': ({path}: RecordedRequest) =>
			path.includes('personalities') ? {cut: 'connection'} : {status: path.includes('installed') ? 502 : 429},
	});
	t.after(async () => service.close());
	const env = environmentFor(service);
	const results = await Promise.all(
		['installed', 'abilities', 'agents'].map(async list => runCommand([list, '--json', '--timeout', '3'], {env})),
	);
	assert.deepEqual(
		results.map(result => [
			result.exitCode,
			lastError(result).kind,
			lastError(result)
				.message.replace(/^http:\S+/, 'It')
				.split('. ', 1)[0],
		]),
		[
			[5, 'server-error', 'The service failed (HTTP 502)'],
			[5, 'rate-limited', 'Rate limit exceeded (HTTP 429)'],
			[5, 'unreachable', 'It could not be reached: connection lost'],
		],
	);
});

test('when the time of a bulk command is up, every record is reported: done, not known or not sent', async (t: TestContext) => {
	const {run, service, asked} = await startLiveLike(t, {home: homeOf(7)});
	const release = service.hold({when: request => isWrite(request) && !/\/[12]\/$/.test(request.path)});
	const result = await run(['disable', '--all', '--json', '--timeout', '4']);
	release();
	type Item = {
		readonly name: string;
		readonly enabled: unknown;
		readonly changed: unknown;
		readonly error?: {readonly kind: string; readonly message: string};
	};
	const items = parseJson(result.stdout) as readonly Item[];
	assert.deepEqual(
		items.map(({enabled, changed, error}) => [enabled, changed, error?.kind]),
		[...[1, 2].map(() => [false, true, undefined]), ...[3, 4, 5, 6].map(() => [true, null, 'timeout']), [true, false, 'timeout']],
	);
	assert.match(items[2]!.error!.message, /did not answer in time\. Desk is not off yet: the change was sent and may still arrive\./);
	assert.equal(items[6]!.error!.message, 'Not sent: the time of the command was up first. Allow more time with --timeout DURATION.');
	assert.deepEqual([result.exitCode, lastError(result).kind], [6, 'some-failed']);
	assert.match(lastError(result).message, /^2 switched, 4 not known, 1 not sent\./);
	// The list is looked at once more within the same limit.
	assert.deepEqual(asked().toSorted(), ['GET', 'GET', ...[1, 2, 3, 4, 5, 6].map(id => `PUT ${id} off`)]);
});

test('the limit does not run while a person is waited for', async () => {
	const limit = startTimeLimit(50);
	await limit.pause(async () => delay(200));
	assert.deepEqual([limit.signal.aborted, limit.writeSignal.aborted], [false, false]);
	await once(limit.signal, 'abort');
	assert.ok(limit.writeSignal.aborted, 'the time for a look-up is kept from that of writes');
	limit.end();
});

test('what a command waits for is shown on a terminal, page by page, and gone before the list is printed', async (t: TestContext) => {
	const {service, env} = await startLiveLike(t, {home: homeOf(3), listShape: 'results', pageSize: 1});
	const release = service.hold({when: ({query}) => query === '?page=3' || query === 'page=3'});
	await using terminal = openTerminal(['installed', '--ascii'], {env});
	await terminal.waitFor('Reading the list of installed abilities: page 2, 2 records');
	release();
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(
		terminal
			.screen()
			.filter(line => line !== '')
			.map(line => line.split(/\s+/, 3).join(' ')),
		['ID STATE NAME', '1 on Lamp', '2 on Radio', '3 on Desk'],
	);
});

test('no progress is written to a pipe', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t, {home: homeOf(1)});
	service.failNext({when: isRead, delayMilliseconds: 2200, ...jsonAnswer(service.installed)});
	assert.deepEqual(await run(['installed']).then(({exitCode, stderr}) => [exitCode, stderr]), [0, '']);
});

/** A list that is longer than any pipe holds. */
async function startLongList(t: TestContext) {
	const recordCount = 3000;
	const description = '日本語の説明'.repeat(30);
	const service = await startOddService({
		'*': jsonAnswer(
			Array.from({length: recordCount}, (_value, index) => ({
				id: index + 1,
				name: `lamp${index}`,
				enabled: true,
				description,
				trigger_words: [description],
			})),
		),
	});
	t.after(async () => service.close());
	return {recordCount, env: environmentFor(service)};
}

for (const [title, words, isRead] of [
	['the output of a long list in its midst', [], true],
	['the same as JSON', ['--json'], true],
	['a command whose output nobody takes', ['--json'], false],
] as const) {
	test(`a signal ends ${title}`, async (t: TestContext) => {
		const {recordCount, env} = await startLongList(t);
		const child = spawn(process.execPath, [programFile, 'installed', ...words], {env, stdio: ['ignore', 'pipe', 'ignore']});
		t.after(() => child.kill('SIGKILL'));
		let output = '';
		child.stdout.setEncoding('utf8');
		// The rest waits until there is a reader.
		await once(child.stdout, 'readable');
		child.kill('SIGTERM');
		if (isRead) {
			child.stdout.on('data', (text: string) => {
				output += text;
			});
		}

		const [exitCode] = (await once(child, isRead ? 'close' : 'exit')) as [number | null];
		assert.equal(exitCode, 143);
		assert.ok(!output.includes(`lamp${recordCount - 1}`), 'all of it was printed first');
	});
}
