import {assert, test, type TestContext} from '../helpers/node.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {shareTestService} from '../service/running-service.ts';
import {ended, environmentFor, lastError, parseJson, runCommand, runOnTerminal, startOddService} from './kit.ts';

type Loose = Record<string, unknown>;

const service = await shareTestService();

/** The environment of somebody with a key of that name. */
async function createEnv(name: string) {
	const keys = await openApiKeys(service.dataFolder);
	const {key} = await keys.create({account: 'default', name});
	await keys.close();
	return environmentFor({...service, apiKey: key});
}

const [envOfAnna, envOfBen] = [await createEnv('anna'), await createEnv('Ben')];
const anna = async (words: readonly string[]) => runCommand(words, {env: envOfAnna});
const ben = async (words: readonly string[]) => runCommand(words, {env: envOfBen});

const ids = ({stdout}: {readonly stdout: string}): readonly number[] => stdout.split('\n').slice(0, -1).map(Number);

// The first test: nobody else has changed anything yet.
test('the history tells who changed what, the newest first, and is narrowed by time, person, kind and name', async () => {
	await anna(['disable', 'pantry']);
	await ben(['agents', 'edit', 'Hearth', '--name', 'Hob', '--prompt', 'Be brief.']);
	await ben(['installed', 'edit', 'pantry', '--triggers', 'look into it']);
	await anna(['abilities', 'delete', 'pantry', '--yes']);

	const all = parseJson((await anna(['history', '--json'])).stdout) as readonly Loose[];
	const rows = all.map(({by, kind, name, field}) => [by, kind, name, field].join(' '));
	assert.deepEqual(
		rows.filter(row => !row.endsWith(' abilities')),
		[
			'anna ability pantry exists',
			'anna installed pantry installed',
			'Ben installed pantry triggers',
			'Ben agent Hearth prompt',
			'Ben agent Hearth name',
			'anna installed pantry enabled',
			'operator key Ben exists',
			'operator key anna exists',
			'operator key key 1 exists',
		],
	);
	const {id, at, record, ...first} = all.find(({field}) => field === 'enabled')!;
	assert.deepEqual(Object.keys(all[0]!), ['id', 'at', 'by', 'via', 'kind', 'name', 'record', 'field', 'from', 'to', 'key']);
	assert.deepEqual(first, {
		by: 'anna',
		via: '127.0.0.1',
		kind: 'installed',
		name: 'pantry',
		field: 'enabled',
		from: true,
		to: false,
		key: 'anna',
	});
	assert.match(String(at), /^\d{4}-\d\d-\d\dT[\d.:]+Z$/);

	const count = async (...words: readonly string[]): Promise<number> => ids(await anna(['history', '--columns', 'id', ...words])).length;
	assert.deepEqual(
		await Promise.all([
			count('--by', 'BEN'),
			count('--kind', 'agent', 'hearth'),
			count('PANTRY', 'Hearth', '--by', 'ben'),
			count(String(record), '--kind', 'installed'),
			count('--since', '1h'),
			count('--until', '1h'),
			count('--since', String(at), '--until', String(at)),
			count('--since', '2020-01-01', 'pantry', '--kind', 'ability'),
		]),
		[3, 2, 3, 3, all.length, 0, 0, 1],
	);
	const tab = await anna([
		'history',
		'pantry',
		'--kind',
		'installed',
		'--until',
		'2100-01-01',
		'--columns',
		'id,by,name,from,to',
		'--format',
		'tsv',
	]);
	assert.match(
		tab.stdout,
		new RegExp(String.raw`^\d+\tanna\tpantry\ttrue\tfalse\n\d+\tBen\tpantry\tnone\tlook into it\n${String(id)}\tanna\tpantry\ton\toff\n$`),
	);
});

test('a table on a terminal has the time of day and the columns that fit', async () => {
	await anna(['disable', 'goodnight']);
	const [exitCode, titles, row] = await runOnTerminal(['history', 'goodnight'], {env: envOfAnna, columns: 80});
	assert.equal(exitCode, 0);
	assert.match(titles!, /^ID +AT +BY .*NAME .*FIELD +FROM +TO$/);
	assert.match(row!, /^\d+ +\d\d:\d\d:\d\d +anna .*goodnight .*enabled +on +off$/);
});

test('a name that nothing has or had is not found; one of a record without a change is', async () => {
	assert.deepEqual(
		await anna(['history', 'pantry', 'nightwach']),
		ended(4, '', 'Nothing named “nightwach” is in the history.\nDid you mean: nightwatch\n'),
	);
	assert.deepEqual(await anna(['history', 'nightwatch']), ended(0, '', 'No changes were found.\n'));
	assert.deepEqual(await anna(['history', 'nightwatch', '--json']), ended(0, '[]\n'));
	assert.deepEqual(
		await anna(['history', 'show', '999']),
		ended(4, '', 'There is no change 999 in the history.\nList them with: switchboard history\n'),
	);
	const wrong: ReadonlyArray<readonly [words: readonly string[], message: RegExp]> = [
		[['--since', 'someday'], /^Invalid value “someday” for --since\./],
		[['--kind', 'agents'], /^Invalid value “agents” for --kind\. Did you mean: agent/],
		[['--limit', '0'], /^Invalid value “0” for --limit\./],
		[['--by', ''], /^The value for --by is empty\./],
		[[''], /^A name is empty\./],
		[['--format', 'tsv'], /^--json and --format tsv cannot be used together\./],
		[['show', 'pantry'], /^Invalid value “pantry” for <change>\./],
	];
	for (const [words, message] of wrong) {
		const result = await anna(['history', ...words, '--json']);
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage']);
		assert.match(lastError(result).message, message);
	}
});

test('without --limit 50 are listed, and standard error says how to see more', async () => {
	for (let count = 0; count < 5; count++) {
		await anna(['toggle', '--all']);
	}

	const some = await anna(['history', '--columns', 'id']);
	assert.equal(ids(some).length, 50);
	assert.equal(some.stderr, 'These are the newest 50. For more, use --limit 500, or narrow them with --since, --by, --kind or a name.\n');
	const all = await anna(['history', '--columns', 'id', '--limit', '500']);
	const count = ids(all).length;
	assert.ok(count > 50);
	assert.deepEqual([all.stderr, ids(all)], ['', Array.from({length: count}, (_, index) => count - index)]);
});

test('of a service without a history the first line says that others’ changes are not in it', async (t: TestContext) => {
	const service = await startOddService({
		'*': {status: 404, headers: {'content-type': 'text/html'}, body: '<html>\u{1B}[31mNot found</html>'},
	});
	t.after(async () => service.close());
	const env = environmentFor(service);
	const first = 'This service keeps no history. These are the changes that this machine made or saw; others are missing.\n';
	assert.deepEqual(await runCommand(['history'], {env}), ended(0, '', `${first}No changes were found.\n`));
	assert.deepEqual(await runCommand(['history', '--json'], {env}), ended(0, '[]\n', first));
	const missing = await runCommand(['history', 'show', '3', '--json'], {env});
	assert.deepEqual([missing.exitCode, missing.stderr.startsWith(first), lastError(missing).kind], [4, true, 'not-found']);
});
