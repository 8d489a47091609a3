import process from 'node:process';
import {
	after,
	before,
	beforeEach,
	test,
	type TestContext,
} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService, type LiveLikeService} from '../helpers/live-like-service.ts';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile, runCommand, type CommandResult} from '../helpers/run-command.ts';
import {lastError, parseJson} from './served-home.ts';

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
	home = await createIsolatedHome();
	service = await startLiveLikeService();
});

beforeEach(() => {
	service.installed = [record(1, 'Lamp', false), record(2, 'Radio', true), record(3, 'Twin', false), record(4, 'twin', true), record(5, '2', false)];
});

after(async () => {
	await service.close();
	await home[Symbol.asyncDispose]();
});

const env = () => ({...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey});

const run = async (...words: readonly string[]): Promise<CommandResult> => runCommand(words, {env: env()});

const isWrite = ({method}: {readonly method: string}): boolean => method === 'PUT';

/** How many writes the service saw while something was done. */
const writesDuring = async (action: () => Promise<unknown>): Promise<number> => {
	const count = service.requests.filter(request => isWrite(request)).length;
	await action();
	return service.requests.filter(request => isWrite(request)).length - count;
};

const states = () => service.installed.map(installed => (installed as {enabled: boolean}).enabled);

test('enable switches on by a name in any case, says so, and the rest of the record stays', async (t: TestContext) => {
	const {stdout, stderr, exitCode} = await run('enable', 'LAMP');
	t.assert.deepStrictEqual([stdout, stderr, exitCode], ['1\ton\tLamp\tchanged\n', '', 0]);
	t.assert.deepStrictEqual(service.installed[0], record(1, 'Lamp', true));
});

test('disable switches off, toggle over', async (t: TestContext) => {
	t.assert.strictEqual((await run('disable', 'radio')).stdout, '2\toff\tRadio\tchanged\n');
	t.assert.strictEqual((await run('toggle', 'radio', 'lamp')).stdout, '2\ton\tRadio\tchanged\n1\ton\tLamp\tchanged\n');
	t.assert.deepStrictEqual(states(), [true, true, false, true, false]);
});

test('what is already so needs no request and is not said to have changed', async (t: TestContext) => {
	let result: CommandResult | undefined;
	const writes = await writesDuring(async () => {
		result = await run('enable', 'radio', '--json');
	});
	t.assert.strictEqual(writes, 0);
	t.assert.deepStrictEqual(parseJson(result!.stdout), [{
		installed_cap_id: 2,
		name: 'Radio',
		enabled: true,
		changed: false,
	}]);
});

test('an id beats a name, and each is switched once however often it is named', async (t: TestContext) => {
	const writes = await writesDuring(async () => run('toggle', '2', 'radio', 'RADIO'));
	t.assert.strictEqual(writes, 1);
	t.assert.deepStrictEqual(states(), [false, false, false, true, false]);
});

test('a name of digits is none of the ids that are the same number', async (t: TestContext) => {
	service.installed.push(record(6, '002', true));
	t.assert.strictEqual((await run('disable', '002')).stdout, '6\toff\t002\tchanged\n');
	const {exitCode} = await run('disable', '0002');
	t.assert.strictEqual(exitCode, 4);
	t.assert.deepStrictEqual(states(), [false, true, false, true, false, false]);
});

test('where the service does not show a state, it is set all the same', async (t: TestContext) => {
	service.installed = [record(1, 'Lamp', false), record(2, 'Radio', true)].map(({enabled, ...rest}) => rest);
	t.assert.strictEqual((await run('disable', '1')).stdout, '1\toff\tLamp\tchanged\n');
	t.assert.deepStrictEqual(states(), [false, undefined]);
});

test('a name too long to be shown whole is found by the whole', async (t: TestContext) => {
	const name = 'Lamp'.repeat(100);
	service.installed = [record(1, name, false)];
	t.assert.strictEqual((await run('enable', name)).exitCode, 0);
	t.assert.deepStrictEqual(states(), [true]);
});

test('a name of several is refused with the candidates, and nothing is done', async (t: TestContext) => {
	const result = await run('toggle', 'lamp', 'twin', '--json');
	t.assert.deepStrictEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'ambiguous']);
	t.assert.match(lastError(result).message, /3 \(Twin\), 4 \(twin\)/);
	t.assert.deepStrictEqual(states(), [false, true, false, true, false]);
});

test('one that is not found means exit 4 and nothing done', async (t: TestContext) => {
	const {exitCode, stdout, stderr} = await run('enable', 'lamp', 'lanp');
	t.assert.deepStrictEqual([exitCode, stdout], [4, '']);
	t.assert.match(stderr, /“lanp”.*\n.*switchboard installed/);
	t.assert.strictEqual(states()[0], false);
});

test('--all switches every one, and those that failed carry their error', async (t: TestContext) => {
	service.failNext({status: 500, when: request => isWrite(request) && request.path.endsWith('/3/')});
	const result = await run('enable', '--all', '--json');
	t.assert.strictEqual(result.exitCode, 6);
	t.assert.strictEqual(lastError(result).kind, 'some-failed');
	const items = parseJson(result.stdout) as ReadonlyArray<{readonly installed_cap_id: number; readonly enabled: boolean; readonly changed: boolean; readonly error?: {readonly kind: string}}>;
	t.assert.deepStrictEqual(items.map(item => [item.installed_cap_id, item.enabled, item.changed, item.error?.kind]), [
		[1, true, true, undefined],
		[2, true, false, undefined],
		[3, false, false, 'server-error'],
		[4, true, false, undefined],
		[5, true, true, undefined],
	]);
	t.assert.deepStrictEqual(states(), [true, true, false, true, true]);
});

test('on a terminal --all counts on standard error while it goes on, and says each in words', async (t: TestContext) => {
	service.installed = service.installed.slice(0, 3);
	await using terminal = openPseudoTerminal({command: process.execPath, args: [programFile, 'enable', '--all'], env: env()});
	t.assert.strictEqual((await terminal.exited).exitCode, 0);
	t.assert.match(String(terminal.output), /1 of 3 …[\s\S]*3 of 3 …/);
	t.assert.deepStrictEqual(terminal.screen().filter(line => line !== ''), ['Lamp is on.', 'Radio was already on.', 'Twin is on.']);
});

test('several at once get a line each, and why one failed is told on standard error', async (t: TestContext) => {
	service.failNext({status: 500, when: request => isWrite(request) && request.path.endsWith('/1/')});
	const {stdout, stderr, exitCode} = await run('enable', 'lamp', '5');
	t.assert.deepStrictEqual([stdout, exitCode], ['1\toff\tLamp\tfailed\n5\ton\t2\tchanged\n', 6]);
	t.assert.match(stderr, /^Lamp: .+\n1 of 2 failed\.\n/);
});

test('a write is repeated once where the service was busy', async (t: TestContext) => {
	service.failNext({status: 503, when: request => isWrite(request)});
	const writes = await writesDuring(async () => {
		const {exitCode} = await run('enable', 'lamp');
		t.assert.strictEqual(exitCode, 0);
	});
	t.assert.strictEqual(writes, 2);
});

test('--read-only refuses before any request is made', async (t: TestContext) => {
	const count = service.requests.length;
	const result = await run('--read-only', 'toggle', 'lamp', '--json');
	t.assert.deepStrictEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'read-only']);
	t.assert.strictEqual(service.requests.length, count);
});

test('names and --all together, or neither, are refused', async (t: TestContext) => {
	t.assert.strictEqual((await run('enable')).exitCode, 2);
	t.assert.strictEqual((await run('enable', '--all', 'lamp')).exitCode, 2);
});
