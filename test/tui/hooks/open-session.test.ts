import {assert, nextTurn, once, test, type TestContext} from '../../helpers/node.ts';
import {createServer, type AddressInfo} from 'node:net';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {keepService, openSession} from '../../../source/tui/hooks/open-session.ts';
import {temporaryFolders} from '../../helpers/temporary-folder.ts';
import {installedAbility} from '../helpers/held-service.ts';

const ignore = (): void => undefined;

test('a service that is closed cuts the changes that it has not answered, and sends nothing more', async t => {
	const received = Promise.withResolvers<void>();
	let requestCount = 0;
	// It gets what is sent, and never answers.
	const server = createServer(socket => {
		socket.on('error', () => undefined);
		socket.once('data', () => {
			requestCount++;
			received.resolve();
		});
	}).listen(0, '127.0.0.1');
	t.after(() => {
		server.close();
	});
	await once(server, 'listening');
	const session = openSession({
		target: {
			kind: 'remote',
			profileName: 'home',
			baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			apiKey: 'key-of-the-test',
			isInsecureHttp: false,
		},
		...temporaryFolders(),
		isReadOnly: false,
		isInsecureHttpAllowed: false,
		// Far longer than the test may take.
		timeoutMilliseconds: 3_600_000,
		refreshKey: 'r',
		report: {
			cursorKey: () => 'r',
			onStart: ignore,
			onSwitched: ignore,
			onFailed: ignore,
			onProgress: ignore,
			onSummary: ignore,
			say: ignore,
			confirm: async () => false,
		},
	});
	const change = session.records.client.editInstalled(installedAbility(1, false), {enabled: true});
	change.catch(() => undefined);
	await received.promise;
	await session.close();
	await assert.rejects(
		change,
		(error: unknown) => error instanceof SwitchboardError && error.kind === 'interrupted' && error.isOutcomeUnknown,
	);
	await assert.rejects(
		session.records.client.list('installed'),
		(error: unknown) => error instanceof SwitchboardError && error.kind === 'interrupted',
	);
	assert.equal(requestCount, 1);
});

/** A service that stops when told, and what was said of it. */
function keep(t: TestContext) {
	let time = 0;
	t.mock.method(performance, 'now', () => time);
	const said: string[] = [];
	const runs: Array<PromiseWithResolvers<SwitchboardError | undefined>> = [];
	const service = keepService({
		async start() {
			const run = Promise.withResolvers<SwitchboardError | undefined>();
			runs.push(run);
			return {
				number: runs.length,
				stopped: run.promise,
				async close() {
					run.resolve(undefined);
				},
			};
		},
		onRestarted({message}) {
			said.push(`again: ${message}`);
		},
		onDown({message, nextStep = ''}) {
			said.push(`down: ${message} ${nextStep}`);
		},
		startKey: 'r',
	});
	return {
		service,
		runs,
		said,
		async stopAfter(milliseconds: number) {
			time += milliseconds;
			runs.at(-1)!.resolve(new SwitchboardError('unexpected', 'It stopped.'));
			await nextTurn();
		},
	};
}

test('a service that could not be closed as it should says so, and one that never ran does not', async () => {
	const failure = new SwitchboardError('unexpected', 'It was replaced.');
	const rest = {
		onRestarted() {
			/* Not here. */
		},
		onDown() {
			/* Not here. */
		},
		startKey: 'r',
	};
	const service = keepService({
		...rest,
		start: async () => ({
			stopped: new Promise<undefined>(() => {
				/* It runs. */
			}),
			async close() {
				throw failure;
			},
		}),
	});
	await service.running();
	await assert.rejects(service.close(), failure);
	const down = keepService({
		...rest,
		async start() {
			throw failure;
		},
	});
	await assert.rejects(down.running(), failure);
	await down.close();
});

test('a service that stops now and then is always started again', async t => {
	const {service, said, runs, stopAfter} = keep(t);
	await service.running();
	for (let count = 0; count < 10; count++) {
		await stopAfter(30_000);
	}

	assert.deepEqual(
		said,
		Array.from({length: 10}, () => 'again: It stopped.'),
	);
	assert.equal((await service.running()).number, runs.length);
	await service.close();
	await nextTurn();
	assert.equal(runs.length, 11);
});

test('after three stops within a minute it stays down until it is started by hand', async t => {
	const {service, said, runs, stopAfter} = keep(t);
	await service.running();
	await stopAfter(0);
	await stopAfter(20_000);
	await stopAfter(20_000);
	assert.equal(said.at(-1), 'down: It stopped. It stopped 3 times within a minute and is not started again. r starts it again.');
	await assert.rejects(service.running(), {message: /not started again/});
	assert.equal(runs.length, 3);
	service.startAgain();
	assert.equal((await service.running()).number, 4);
	await stopAfter(0);
	assert.equal(said.at(-1), 'again: It stopped.');
});
