import {assert, createHash, test, type TestContext} from '../helpers/node.ts';
import {startToldHistory, toldEntry} from './told-history.ts';
import {ended, isWrite, lastError, parseJson, runOnTerminal} from './kit.ts';

/* What a service may tell that the bundled one never does. */

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a terminal would obey or hide. */
const unsafe = /[\u{0}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{200B}\u{202E}]/u;

const hostile = 'ha\u{1B}[31mll\u{1B}]0;owned\u{7}\u{202E}\nway\tx';

const onAgent = {kind: 'agent', name: 'Hearth', record: 1, field: 'prompt'} as const;

test('names, words and texts of a history reach no terminal as they are, in any format', async (t: TestContext) => {
	const {run, env} = await startToldHistory(t, [
		toldEntry(1, {
			name: hostile,
			by: hostile,
			via: hostile,
			key: hostile,
			field: hostile,
			from: hostile,
			to: [hostile, {[hostile]: hostile}],
		}),
		toldEntry(2, {...onAgent, name: hostile, from: hostile, to: `${hostile}\n`}),
		toldEntry(3, {...onAgent, from: 'a', to: {characters: 2000, sha256: hostile, difference: hostile, start: hostile}}),
	]);
	const lists = ['table', 'tsv', 'json', 'jsonl', 'yaml'].map(format => ['history', '--format', format]);
	const words = [
		...lists,
		['history', '--columns', 'name,by,from,to'],
		...[1, 2, 3].flatMap(id => [
			['history', 'show', String(id)],
			['history', 'show', String(id), '--json'],
			['history', 'revert', String(id), '--yes'],
		]),
	];
	for (const each of words) {
		const {stdout, stderr} = await run(each);
		assert.doesNotMatch((stdout + stderr).replaceAll('\t', ''), unsafe, each.join(' '));
	}

	assert.equal((parseJson((await run(['history', '--json'])).stdout) as ReadonlyArray<{readonly name: string}>)[2]!.name, hostile);
	const [exitCode, ...lines] = await runOnTerminal(['history', 'show', '2'], {env});
	assert.equal(exitCode, 0);
	assert.match(lines.join('\n'), /^id {6}2\nat {6}\d{4}-\d\d-\d\d \d\d:04:05\n/);
});

test('an entry with a field of a later version is shown as it is, and not reverted', async (t: TestContext) => {
	const {run, service} = await startToldHistory(t, [toldEntry(4, {field: 'constructor', from: {mode: 1}, to: null})]);
	assert.deepEqual(await run(['history', '--columns', 'name,field,from,to']), ended(0, 'lamps\tconstructor\t{"mode":1}\t?\n'));
	assert.deepEqual(
		await run(['history', 'revert', '4', '--yes']),
		ended(2, '', 'This change of lamps cannot be reverted. Nothing was done.\n'),
	);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('what cannot be reverted says what to do instead', async (t: TestContext) => {
	const never = (name: string): string => `This change of ${name} cannot be reverted.`;
	const unknown = (name: string): string => `This change cannot be reverted: it is not known what ${name} was before.`;
	const cases: ReadonlyArray<readonly [entry: Parameters<typeof toldEntry>[1], problem: string, nextStep?: string]> = [
		[{field: 'installed', from: false, to: true}, never('lamps'), ' To uninstall it: switchboard uninstall lamps'],
		[{field: 'installed', from: true, to: false}, never('lamps'), ' To install it again: switchboard install lamps'],
		[
			{kind: 'ability', field: 'exists', from: true, to: false},
			never('lamps'),
			' Its image, its earlier versions and its publication do not come back. To upload it again: switchboard abilities push FOLDER',
		],
		[
			{kind: 'ability', field: 'version', from: '1', to: '2'},
			never('lamps'),
			' To bring back its source: switchboard abilities restore lamps --version 1',
		],
		[
			{kind: 'key', name: 'my key', field: 'exists', from: false, to: true},
			never('my key'),
			" To revoke it: switchboard keys revoke 'my key'",
		],
		[{record: 9, name: 'porch'}, 'porch is no longer installed.', ' To install it again: switchboard install porch'],
		[{...onAgent, record: 9, from: 'You'}, 'Hearth no longer exists.'],
		[{from: null}, unknown('lamps')],
		[{...onAgent, from: {characters: 2000, sha256: 'a', start: 'You'}}, unknown('Hearth')],
		[{...onAgent, field: 'abilities', from: 'lamps'}, unknown('Hearth')],
	];
	const {run, service} = await startToldHistory(
		t,
		cases.map(([entry], index) => toldEntry(index + 1, entry)),
	);
	const results = await Promise.all(cases.map(async (_case, index) => run(['history', 'revert', String(index + 1), '--yes', '--json'])));
	assert.deepEqual(
		results.map(result => [result.exitCode, result.stdout, lastError(result)]),
		cases.map(([, problem, nextStep = '']) => [2, '', {kind: 'refused', message: `${problem} Nothing was done.${nextStep}`}]),
	);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('a history that grows while it is read shows no entry twice, and leaves none out', async (t: TestContext) => {
	const entries = Array.from({length: 8}, (_, index) => toldEntry(index + 1));
	const {run, pages} = await startToldHistory(t, entries, () => {
		entries.push(toldEntry(entries.length + 1));
	});
	const result = await run(['history', '--columns', 'id']);
	assert.deepEqual(result, ended(0, '8\n7\n6\n5\n4\n3\n2\n1\n'));
	assert.equal(pages.length, 3);
});

test('pages that lead back to themselves end', async (t: TestContext) => {
	const {run, pages} = await startToldHistory(t, [toldEntry(5)], undefined, 9);
	assert.equal((await run(['history', '--columns', 'id'])).stdout, '5\n');
	assert.equal(pages.length, 2);
});

test('a long text is whole in show, and where the difference does not give it that is said', async (t: TestContext) => {
	const before = 'One line of many.\n'.repeat(100);
	const after = `${before}And another.\r\n`;
	const difference = '@@ -99,2 +99,3 @@\n One line of many.\n One line of many.\n+And another.\r\n';
	const {run} = await startToldHistory(t, [
		toldEntry(1, {...onAgent, from: before, to: {characters: after.length, sha256: hashOf(after), difference}}),
		toldEntry(2, {...onAgent, from: before, to: {characters: after.length, sha256: hashOf('another'), difference}}),
		toldEntry(3, {
			...onAgent,
			from: 'x\n'.repeat(20_000),
			to: {characters: 9, sha256: hashOf('another'), difference: `@@ -1,20000 +1,20000 @@\n${' x\n'.repeat(19_999)} y\n`},
		}),
	]);
	const whole = await run(['history', 'show', '1', '--json']);
	assert.equal((parseJson(whole.stdout) as {readonly to: string}).to, after);
	assert.match(
		(await run(['history', 'show', '1'])).stdout,
		/\nfrom\t100 lines\nto\t101 lines\n {4}--- a\/Hearth\n {4}\+\+\+ b\/Hearth\n {4}… 97 unchanged lines\n {5}One line of many\.\n {5}One line of many\.\n {5}One line of many\.\n {4}\+And another\.\^M\n$/,
	);
	const broken = await run(['history', 'show', '2']);
	assert.match(
		broken.stdout,
		/\nto\t1,814 characters\n {4}@@ -99,2 \+99,3 @@\n {5}One line of many\.\n {5}One line of many\.\n {4}\+And another\.\^M\n$/,
	);
	assert.equal(broken.stderr, 'The new text of this change cannot be rebuilt from the history of the service.\n');
	assert.deepEqual((parseJson((await run(['history', 'show', '2', '--json'])).stdout) as {readonly to: object}).to, {
		characters: 1814,
		sha256: hashOf('another'),
		difference,
	});
	assert.equal((await run(['history', 'show', '3', '--json'])).exitCode, 0);
});
