import {assert, test, type TestContext} from '../helpers/node.ts';
import {startToldHistory, toldEntry} from './told-history.ts';
import {ended, isWrite, json, lastError, runOnTerminal, startLiveLike} from './kit.ts';

const onAgent = {kind: 'agent', name: 'Hearth', record: 1} as const;

type Loose = Record<string, unknown>;

/** A home in which lamps were switched off, and what else the entries say; “lamps” is on there at first. */
async function start(t: TestContext, ...entries: ReadonlyArray<ReturnType<typeof toldEntry>>) {
	const started = await startToldHistory(t, [...entries]);
	return {
		...started,
		lamps: started.service.installed[0] as Loose,
		hearth: started.service.agents[0] as Loose,
		writes: () => started.service.requests.filter(isWrite).length,
	};
}

test('a switch is reverted once, and again it is unchanged', async (t: TestContext) => {
	const {env, run, lamps, writes} = await start(t, toldEntry(1));
	lamps['enabled'] = false;
	assert.deepEqual(
		await run(['history', 'revert', '1', '--dry-run']),
		ended(0, '~ lamps: off → on\n1 to change, 0 unchanged.\n', 'Nothing was changed: this was a dry run.\n'),
	);
	assert.equal(lastError(await run(['history', 'revert', '1', '--yes', '--json', '--read-only'])).kind, 'read-only');
	assert.equal(writes(), 0);
	assert.deepEqual(await runOnTerminal(['history', 'revert', '1'], {env, typed: 'y\r'}), [
		0,
		'~ lamps: off → on',
		'1 to change, 0 unchanged.',
		'Make this change? [y/N] y',
		'done       ~ lamps: off → on',
		'1 done, 0 unchanged.',
	]);
	assert.equal(lamps['enabled'], true);
	assert.deepEqual(await run(['history', 'revert', '1', '--yes', '--json']), ended(0, json({changes: [], unchanged: 1})));
	assert.equal(writes(), 1);
});

test('phrases, names, prompts and ties are reverted, with the JSON of apply', async (t: TestContext) => {
	const cases = [
		[{field: 'triggers', from: ['lights', 'lamps on'], to: ['open sesame']}, 'trigger_words', ['open sesame']],
		[{...onAgent, field: 'name', from: 'Hob', to: 'Hearth'}, 'name', 'Hearth'],
		[{...onAgent, field: 'prompt', from: 'You\r\nwatch.\n', to: 'Be brief.'}, 'description', 'Be brief.'],
	] as const;
	const {run, lamps, hearth} = await start(t, ...cases.map(([entry], index) => toldEntry(index + 1, entry)));
	for (const [index, [entry, key, present]] of cases.entries()) {
		const record = 'kind' in entry ? hearth : lamps;
		record[key] = present;
		const {kind = 'installed', name = 'lamps', field, from} = {kind: undefined, name: undefined, ...entry};
		const change = {kind, name: field === 'prompt' ? 'Hob' : name, field, from: present, to: from, done: true};
		assert.deepEqual(
			await run(['history', 'revert', String(index + 1), '--yes', '--json']),
			ended(0, json({changes: [change], unchanged: 0})),
		);
		assert.deepEqual(record[key], from);
	}
});

test('ties are found by their names today, and one that is gone is said', async (t: TestContext) => {
	const {run, service, hearth} = await start(
		t,
		toldEntry(1, {...onAgent, field: 'abilities', from: ['attic', 'LAMPS', 'pantry'], to: ['lamps']}),
	);
	const ids = new Map(service.abilities.map(ability => [(ability as Loose)['name'], (ability as Loose)['id']]));
	hearth['matching_capabilities'] = [ids.get('lamps')];
	const result = await run(['history', 'revert', '1', '--yes', '--json']);
	assert.deepEqual(
		result,
		ended(
			0,
			json({
				changes: [{...onAgent, record: undefined, field: 'abilities', from: ['lamps'], to: ['lamps', 'pantry'], done: true}],
				unchanged: 0,
			}),
			'The ability attic is gone, so Hearth cannot have it again.\n',
		),
	);
	assert.deepEqual(service.ties.get(1), [ids.get('lamps'), ids.get('pantry')]);
	service.abilities.push({id: 77, name: 'pantry'});
	assert.deepEqual(lastError(await run(['history', 'revert', '1', '--yes', '--json'])), {
		kind: 'ambiguous',
		message: `Several abilities are named “pantry”: ${String(ids.get('pantry'))} (pantry), 77 (pantry). Nothing was done.`,
	});
});

test('where something came after it, that is said and asked, also with --yes; where nobody can answer, nothing is done', async (t: TestContext) => {
	const later = toldEntry(7, {by: 'ben\u{1B}[31m', field: 'triggers', from: ['lights'], to: ['open sesame']});
	const {env, run, lamps, writes} = await start(t, toldEntry(1, {field: 'triggers', from: ['glow'], to: ['lights']}), toldEntry(2), later);
	lamps['trigger_words'] = ['open sesame'];
	const sentence = /^Change 7 came after it \(by ben, (?:\d{4}-\d\d-\d\d )?\d\d:\d\d\): lamps triggers: lights → open sesame\./;
	const refused = await run(['history', 'revert', '1', '--yes', '--json']);
	const {kind, message} = lastError(refused);
	assert.deepEqual([refused.exitCode, refused.stdout, kind, writes()], [2, '', 'conflict', 0]);
	assert.match(
		message,
		new RegExp(
			String.raw`${sentence.source} Nothing was done\. See it with: switchboard history show 7 To revert that one first: switchboard history revert 7$`,
		),
	);

	const dry = await run(['history', 'revert', '1', '--yes', '--dry-run']);
	assert.deepEqual([dry.exitCode, dry.stdout], [0, '~ lamps triggers: open sesame → glow\n1 to change, 0 unchanged.\n']);
	assert.match(dry.stderr, sentence);

	const [exitCode, first, ...lines] = await runOnTerminal(['history', 'revert', '1', '--yes'], {env, typed: 'n\r'});
	assert.match(String(first), sentence);
	assert.deepEqual(
		[exitCode, ...lines],
		[2, '~ lamps triggers: open sesame → glow', '1 to change, 0 unchanged.', 'Make this change anyway? [y/N] n', 'Nothing was changed.'],
	);
	assert.equal((await runOnTerminal(['history', 'revert', '1'], {env, typed: 'y\r'}))[0], 0);
	assert.deepEqual(lamps['trigger_words'], ['glow']);
});

test('a change that the history does not explain is no less in the way', async (t: TestContext) => {
	const {run, hearth} = await start(
		t,
		toldEntry(1, {...onAgent, field: 'prompt', from: 'a', to: 'b'}),
		toldEntry(2, {...onAgent, field: 'name', from: 'a', to: 'b'}),
	);
	hearth['description'] = 'c';
	assert.deepEqual(
		await run(['history', 'revert', '1', '--yes']),
		ended(
			2,
			'',
			'The prompt of Hearth is no longer what change 1 made it, and the history does not say why. Nothing was done.\nChange it by its own command.\n',
		),
	);
});

test('a name that another agent has by now is not given again', async (t: TestContext) => {
	const {run, writes, service} = await start(t, toldEntry(1, {...onAgent, field: 'name', from: 'Hob', to: 'Hearth'}));
	service.agents.push({id: 9, name: 'HOB', description: ''});
	assert.deepEqual(
		await run(['history', 'revert', '1', '--yes']),
		ended(2, '', 'The name “Hob” is taken by agent 9 now. Nothing was done.\n'),
	);
	assert.equal(writes(), 0);
});

test('what was done from here is reverted from the journal, on a service without a history', async (t: TestContext) => {
	const {run, service, states} = await startLiveLike(t);
	const [before, hearth] = [states(), service.agents[0] as Loose];
	const {description} = hearth;
	await run(['disable', 'lamps']);
	await run(['agents', 'edit', 'Hearth', '--prompt', 'Be brief.\n'.repeat(200)]);
	const listed = JSON.parse((await run(['history', '--json'])).stdout) as ReadonlyArray<Readonly<Record<string, unknown>>>;
	assert.deepEqual(
		listed.map(({via, name, field}) => [via, name, field].join(' ')),
		['agents edit Hearth prompt', 'disable lamps enabled'],
	);
	for (const {id} of listed) {
		assert.equal((await run(['history', 'revert', String(id), '--yes'])).exitCode, 0);
	}

	assert.deepEqual([states(), hearth['description']], [before, description]);
});
