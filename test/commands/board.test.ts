import {after, assert, delay, test} from '../helpers/node.ts';
import {lastError, parseJson, shareServedHome} from './served-home.ts';
import {runCommand, runOnTerminal} from './kit.ts';

const served = await shareServedHome({after});
const {run, runJson, env} = served;

/** Returns the present time, once every change so far is before it. */
async function nextMoment(): Promise<string> {
	await delay(5);
	const moment = new Date().toISOString();
	await delay(5);
	return moment;
}

type Planned = {
	readonly changes: ReadonlyArray<{readonly name: string; readonly field: string; readonly to: unknown; readonly done?: boolean}>;
};

const short = ({changes}: Planned): ReadonlySet<string> => new Set(changes.map(({name, field, to}) => JSON.stringify([name, field, to])));

test('plan --at shows what differs from then, apply --at brings it back after a question, and both can be repeated', async () => {
	await run(['enable', 'pantry', 'morninglights']);
	await run(['disable', 'pantry']);
	const moment = await nextMoment();
	await run(['enable', 'pantry']);
	await run(['disable', 'morninglights']);
	await run(['agents', 'edit', 'Hearth', '--name', 'Hob', '--prompt', `${'Keep the house.\n'.repeat(100)}Now.`, '--yes']);
	const planned = (await runJson(['plan', '--at', moment])) as Planned & Readonly<Record<string, unknown>>;
	assert.deepEqual(
		new Set(planned.changes.map(({name, field}) => `${name} ${field}`)),
		new Set(['pantry enabled', 'morninglights enabled', 'Hob name', 'Hob prompt']),
	);
	assert.deepEqual([planned['at'], planned['unknown']], [moment, []]);
	assert.ok(Date.parse(String(planned['reaches_back_to'])) < Date.parse(moment));
	assert.equal((await run(['plan', '--at', moment, '--exit-code'])).exitCode, 10);
	assert.equal(lastError(await run(['apply', '--at', moment, '--json'])).kind, 'usage');
	const [exitCode, ...lines] = await runOnTerminal(['apply', '--at', moment, '--no-diff'], {env, typed: 'y\r'});
	assert.equal(exitCode, 0);
	assert.equal(lines.at(-1), '4 done, 0 unchanged.');
	const installed = (await runJson(['installed'])) as ReadonlyArray<{name: string; enabled: boolean}>;
	assert.equal(installed.find(({name}) => name === 'pantry')?.enabled, false);
	assert.deepEqual(((await runJson(['plan', '--at', moment])) as Planned).changes, []);
	assert.equal((await run(['plan', '--at', moment, '--exit-code'])).exitCode, 0);
});

test('export --at is the state as it was, and plan of it changes what plan --at does', async () => {
	const before = await run(['export']);
	const moment = await nextMoment();
	await run(['toggle', 'nightwatch']);
	await run(['installed', 'edit', 'nightwatch', '--triggers', 'watch the night']);
	assert.notEqual((await run(['export'])).stdout, before.stdout);
	const {stdout} = await run(['export', '--at', moment]);
	assert.equal(stdout, before.stdout);
	const byFile = parseJson((await run(['plan', '-', '--json'], {stdin: stdout})).stdout) as Planned;
	assert.deepEqual(short(byFile), short((await runJson(['plan', '--at', moment])) as Planned));
});

test('export --at has the state of then, also where a timer was to end it', async () => {
	await run(['enable', 'pantry']);
	await run(['disable', 'pantry', '--for', '1h']);
	const moment = await nextMoment();
	const exported = async (...words: readonly string[]) => {
		const {installed} = (await runJson(['export', ...words])) as {readonly installed: {readonly pantry: {readonly enabled: boolean}}};
		return installed.pantry.enabled;
	};
	assert.deepEqual([await exported(), await exported('--at', moment)], [true, false]);
	await run(['enable', 'pantry']);
	assert.equal(await exported('--at', moment), false);
});

test('a file and --at, neither of them, a time to come and one before the history are refused', async () => {
	const cases = [
		[['plan'], 'usage', 'A state file is missing.'],
		[['apply', 'home.yaml', '--at', '1h'], 'usage', 'A state file and --at cannot be used together.'],
		[['plan', '--at', '1h', '--prune'], 'usage', '--prune and --at cannot be used together.'],
		[['plan', '--at', '2999-01-01'], 'usage', '2999-01-01 has not come yet.'],
		[['export', '--at', '1h', '--into', 'folder'], 'usage', '--at and --into cannot be used together.'],
	] as const;
	for (const [words, kind, message] of cases) {
		const result = await run([...words, '--json']);
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, kind]);
		assert.ok(lastError(result).message.startsWith(message), lastError(result).message);
	}

	const early = await run(['plan', '--at', '2001-01-01', '--json']);
	assert.deepEqual([early.exitCode, lastError(early).kind], [2, 'refused']);
	assert.match(lastError(early).message, /^The history reaches back to /);
});

test('what a plan leaves alone is said once, and undo takes back what apply --at did', async () => {
	const [{name}] = (await runJson(['installed'])) as readonly [{name: string}];
	await run(['enable', 'kitchentimer']);
	const moment = await nextMoment();
	await run(['disable', 'kitchentimer']);
	await run(['uninstall', name, '--yes']);
	const [exitCode, ...lines] = await runOnTerminal(['apply', '--at', moment], {env, typed: 'y\r'});
	assert.equal(exitCode, 0);
	assert.equal(lines.filter(line => line.includes('was uninstalled since')).length, 1, lines.join('\n'));
	const isOn = async (): Promise<boolean | undefined> =>
		((await runJson(['installed'])) as ReadonlyArray<{name: string; enabled: boolean}>).find(each => each.name === 'kitchentimer')?.enabled;
	assert.equal(await isOn(), true);
	assert.equal((await run(['undo', '--yes'])).exitCode, 0);
	assert.equal(await isOn(), false);
	await run(['install', name]);
});

test('a change that came since is named and left alone', async () => {
	const moment = await nextMoment();
	const [{name}] = (await runJson(['installed'])) as readonly [{name: string}];
	await run(['uninstall', name, '--yes']);
	const gone = await run(['plan', '--at', moment]);
	assert.match(gone.stderr, new RegExp(`${name} was uninstalled since, and is not installed again\\.`));
	await run(['install', name]);
	const {stdout, stderr} = await run(['plan', '--at', moment]);
	assert.match(stderr, new RegExp(`${name} was uninstalled and installed again since, and is left alone\\.`));
	assert.match(stdout, /Nothing to do/);
});

test('history --summary has a line for each field, with how often it changed and by whom', async () => {
	const moment = await nextMoment();
	for (const word of ['enable', 'disable', 'enable']) {
		await run([word, 'nightwatch']);
	}

	const rows = (await runJson(['history', '--since', moment, '--summary'])) as ReadonlyArray<Readonly<Record<string, unknown>>>;
	const {record, by, ...row} = rows[0]!;
	assert.deepEqual(row, {kind: 'installed', name: 'nightwatch', field: 'enabled', from: true, to: true, times: 2});
	assert.deepEqual([typeof record, (by as readonly string[]).length, rows.length], ['number', 1, 1]);
	assert.match((await run(['history', '--since', moment, '--summary'])).stdout, /^nightwatch\tinstalled\t\d+\tenabled\ton\ton\t2\t/);
	assert.equal(lastError(await run(['history', '--summary', '--columns', 'name', '--json'])).kind, 'usage');
});

test('undo --since takes back what was done from here, and with --by what somebody else did, but for what was changed again', async () => {
	const {key: bens} = (await runJson(['keys', 'create', '--name', 'ben'])) as {key: string};
	const asBen = async (words: readonly string[]) => runCommand(words, {env: {...env, SWITCHBOARD_API_KEY: bens}});
	const states = async (): Promise<ReadonlyMap<string, boolean>> =>
		new Map(((await runJson(['installed'])) as ReadonlyArray<{name: string; enabled: boolean}>).map(({name, enabled}) => [name, enabled]));
	await run(['disable', 'pantry', 'nightwatch', 'goodnight']);
	const moment = await nextMoment();
	await asBen(['enable', 'pantry', 'nightwatch']);
	await asBen(['installed', 'edit', 'goodnight', '--triggers', 'good night ben']);
	// Somebody else changes two of them again.
	await run(['disable', 'nightwatch']);
	await run(['installed', 'edit', 'goodnight', '--triggers', 'good night all']);
	const left = await run(['undo', '--since', moment, '--by', 'BEN', '--yes', '--json']);
	assert.equal(left.exitCode, 6);
	const {changes, unchanged} = parseJson(left.stdout) as {changes: ReadonlyArray<Readonly<Record<string, unknown>>>; unchanged: number};
	assert.deepEqual(
		changes.map(({name, field, done, error}) => [name, field, done, (error as {kind: string} | undefined)?.kind]),
		[
			['pantry', 'enabled', true, undefined],
			['goodnight', 'triggers', false, 'conflict'],
		],
	);
	assert.equal(unchanged, 1, 'nightwatch is off again already');
	assert.equal((await states()).get('pantry'), false);
	assert.equal((await run(['undo', '--since', moment, '--by', 'ben', '--force', '--yes'])).exitCode, 0);
	const installed = (await runJson(['installed'])) as ReadonlyArray<{name: string; trigger_words: readonly string[]}>;
	assert.ok(!installed.find(({name}) => name === 'goodnight')!.trigger_words.includes('good night all'));
	for (const [words, message] of [
		[['undo', '--by', 'ben'], '--by needs --since.'],
		[['undo', '--force'], '--force needs --since.'],
		[['undo', '2', '--since', '1h'], 'A count and --since cannot be used together.'],
	] as const) {
		assert.equal(lastError(await run([...words, '--json'])).message, message);
	}
});
