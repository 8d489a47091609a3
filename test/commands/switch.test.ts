import {assert} from '../helpers/node.ts';
import {after, before, beforeEach, test} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService, type LiveLikeService} from '../helpers/live-like-service.ts';
import {type CommandResult, jsonAnswer, lastError, openTerminal, parseJson, runCommand} from './kit.ts';

const record = (id: number, name: string, enabled: boolean) => ({
	id,
	name,
	enabled,
	category: 'skill',
	trigger_words: ['open sesame'],
	system_capability: false,
	agent_capability: false,
});

let home: IsolatedHome;
let service: LiveLikeService;

before(async () => {
	home = createIsolatedHome();
	service = await startLiveLikeService();
});

beforeEach(() => {
	service.installed = [
		record(1, 'Lamp', false),
		record(2, 'Radio', true),
		record(3, 'Twin', false),
		record(4, 'twin', true),
		record(5, '2', false),
	];
});

after(async () => service.close());

const env = () => ({...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey});

const run = async (...words: readonly string[]): Promise<CommandResult> => runCommand(words, {env: env()});

const isWrite = ({method}: {readonly method: string}): boolean => method === 'PUT';

/** How many writes the service saw while something was done. */
async function writesDuring(action: () => Promise<unknown>): Promise<number> {
	const count = service.requests.filter(request => isWrite(request)).length;
	await action();
	return service.requests.filter(request => isWrite(request)).length - count;
}

const states = () => service.installed.map(installed => (installed as {enabled: boolean}).enabled);

test('enable takes a name in any case and leaves the rest of the record', async () => {
	const {stdout, stderr, exitCode} = await run('enable', 'LAMP');
	assert.deepEqual([stdout, stderr, exitCode], ['1\ton\tLamp\tchanged\n', '', 0]);
	assert.deepEqual(service.installed[0], record(1, 'Lamp', true));
});

test('disable switches off, toggle flips', async () => {
	assert.equal((await run('disable', 'radio')).stdout, '2\toff\tRadio\tchanged\n');
	assert.equal((await run('toggle', 'radio', 'lamp')).stdout, '2\ton\tRadio\tchanged\n1\ton\tLamp\tchanged\n');
	assert.deepEqual(states(), [true, true, false, true, false]);
});

test('an ability that is already on is not sent and not reported as changed', async () => {
	let result: CommandResult | undefined;
	const writes = await writesDuring(async () => {
		result = await run('enable', 'radio', '--json');
	});
	assert.equal(writes, 0);
	assert.deepEqual(parseJson(result!.stdout), [{installed_cap_id: 2, name: 'Radio', enabled: true, changed: false}]);
});

test('an id beats a name, and each ability is switched once', async () => {
	const writes = await writesDuring(async () => run('toggle', '2', 'radio', 'RADIO'));
	assert.equal(writes, 1);
	assert.deepEqual(states(), [false, false, false, true, false]);
});

test('a name of digits is not an id of the same number', async () => {
	service.installed.push(record(6, '002', true));
	assert.equal((await run('disable', '002')).stdout, '6\toff\t002\tchanged\n');
	const {exitCode} = await run('disable', '0002');
	assert.equal(exitCode, 4);
	assert.deepEqual(states(), [false, true, false, true, false, false]);
});

test('a name too long to be shown is found by its full text', async () => {
	const name = 'Lamp'.repeat(100);
	service.installed = [record(1, name, false)];
	assert.equal((await run('enable', name)).exitCode, 0);
	assert.deepEqual(states(), [true]);
});

test('--all switches every ability, and failures carry their error', async () => {
	service.failNext({status: 500, when: request => isWrite(request) && request.path.endsWith('/3/')});
	const result = await run('enable', '--all', '--json');
	assert.equal(result.exitCode, 6);
	assert.equal(lastError(result).kind, 'some-failed');
	const items = parseJson(result.stdout) as ReadonlyArray<{
		readonly installed_cap_id: number;
		readonly enabled: boolean;
		readonly changed: boolean;
		readonly error?: {readonly kind: string};
	}>;
	assert.deepEqual(
		items.map(item => [item.installed_cap_id, item.enabled, item.changed, item.error?.kind]),
		[
			[1, true, true, undefined],
			[2, true, false, undefined],
			[3, false, false, 'server-error'],
			[4, true, false, undefined],
			[5, true, true, undefined],
		],
	);
	assert.deepEqual(states(), [true, true, false, true, true]);
});

test('on a terminal --all counts on standard error and prints a sentence for each', async () => {
	service.installed = service.installed.slice(0, 3);
	const release = service.hold({when: request => isWrite(request) && request.path.endsWith('/3/')});
	await using terminal = openTerminal(['enable', '--all'], {env: env()});
	// The second one was on before.
	await terminal.waitFor('Switching: 2 of 3 …');
	release();
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(terminal.lines(), ['Lamp is on.', 'Radio was already on.', 'Twin is on.']);
});

test('a service that says twice that nothing was changed is believed, and the list is not read again', async () => {
	service.failNext({
		...jsonAnswer({detail: 'Its database cannot be reached, so nothing was changed. Try again in a moment.', code: 'nothing-changed'}, 503),
		when: isWrite,
		times: 2,
	});
	const start = service.requests.length;
	const result = await run('enable', 'lamp', '--json');
	const methods = service.requests.slice(start).map(({method}) => method);
	const error = {
		kind: 'server-error',
		message: 'The service answered “Its database cannot be reached, so nothing was changed. Try again in a moment”.',
	};
	assert.deepEqual([result.exitCode, lastError(result)], [5, error]);
	const [item] = parseJson(result.stdout) as ReadonlyArray<{readonly enabled: unknown; readonly changed: unknown}>;
	assert.deepEqual([item?.enabled, item?.changed, methods], [false, false, ['GET', 'PUT', 'PUT']]);
});

test('names with --all, or neither, are refused', async () => {
	assert.equal((await run('enable')).exitCode, 2);
	assert.equal((await run('enable', '--all', 'lamp')).exitCode, 2);
});

test('a service that answers with the other state is not believed', async () => {
	for (const [command, name, word] of [
		['disable', 'Radio', 'on'],
		['enable', 'Lamp', 'off'],
		['toggle', 'Radio', 'on'],
	] as const) {
		service.failNext({
			status: 200,
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({enabled: word === 'on'}),
			when: isWrite,
		});
		const result = await run(command, name, '--json');
		assert.deepEqual(
			[result.exitCode, lastError(result)],
			[2, {kind: 'refused', message: `The service answered that ${name} is still ${word}.`}],
		);
		assert.deepEqual(parseJson(result.stdout), [
			{installed_cap_id: name === 'Lamp' ? 1 : 2, name, enabled: word === 'on', changed: false, error: lastError(result)},
		]);
	}
});
