import {assert, path, test, type TestContext} from '../helpers/node.ts';
import type {HistoryQuery} from '../../source/interface/history.ts';
import {openHistory} from '../../source/changes/history.ts';
import type {NewChange} from '../../source/changes/log-lines.ts';
import {openLog} from '../../source/changes/log.ts';
import {withWholeTexts} from '../../source/state/whole-entry.ts';
import {jsonAnswer} from '../helpers/answers.ts';
import type {OddAnswer} from '../helpers/odd-service.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {clientOf, failureOf, startOdd} from '../client/clients.ts';

const entry = {by: 'you', via: 'apply', kind: 'installed', name: 'pantry', record: 7, field: 'enabled', from: true, to: false} as const;

const nothing = {entries: [], next: null};

/** The history of a service that answers so, with changes in the journal, a minute after the other. */
async function openWith(t: TestContext, answer: OddAnswer | undefined, changes: ReadonlyArray<Partial<NewChange>>) {
	const service = await startOdd(t, answer === undefined ? {} : {'/history': answer});
	const journal = openLog('a', {stateFolder: path.join(temporaryFolder(), 'switchboard')});
	await journal.note(
		changes.map((change, index) => ({...entry, at: Date.UTC(2026, 0, 2, 3, index), since: Date.UTC(2026, 0, 2, 3, index), ...change})),
	);
	const history = openHistory({client: clientOf(service), openLog: () => journal});
	return {service, history, asked: () => service.requests.map(({path: requested, query}) => `${requested}?${query}`)};
}

test('the history is that of the service where it keeps one, and the one on this machine is not looked at', async t => {
	const page = {entries: [{...entry, id: 40, at: '2026-01-02T03:04:05.000Z', by: 'anna', key: 'phone'}], next: 40};
	const {history, asked} = await openWith(t, jsonAnswer(page), [{}]);
	assert.deepEqual(await history.read({kind: 'installed', records: ['pantry']}), {
		...page,
		isWhole: true,
		reachesBackTo: undefined,
		entityTag: undefined,
	});
	assert.deepEqual(asked(), ['/history?record=pantry&kind=installed']);
	assert.equal(await history.isKeptByService(), true);
});

test('an entry that the service does not have is not looked for on this machine', async t => {
	const {history} = await openWith(t, ({query}) => (query.includes('entry') ? {status: 404} : jsonAnswer(nothing)), [{}]);
	const error = await failureOf(history.read({entry: 1}));
	assert.equal(error.status, 404);
});

test('a service that cannot be asked now is asked again, and its history is not taken for missing', async t => {
	const {history, service} = await openWith(t, {status: 503}, [{}]);
	assert.equal((await failureOf(history.read({}))).status, 503);
	service.program('/history', jsonAnswer(nothing));
	assert.deepEqual(await history.read({}), {entries: [], next: undefined, reachesBackTo: undefined, entityTag: undefined, isWhole: true});
});

test('where the service has none, or answers with a web page, the changes on this machine are the history, under the same conditions', async t => {
	const changes: ReadonlyArray<Partial<NewChange>> = [
		{},
		{name: 'Lamps', record: 8},
		{kind: 'agent', name: 'Hearth', record: 1, field: 'name', from: 'Hearth', to: 'Hob'},
		{by: 'elsewhere', to: true, from: false},
		{by: 'Anna', name: '7', record: 9},
	];
	for (const answer of [undefined, {body: '<!doctype html><title>Home</title>', headers: {'content-type': 'text/html'}}]) {
		const {history, asked} = await openWith(t, answer, changes);
		const queries: ReadonlyArray<readonly [HistoryQuery, readonly unknown[]]> = [
			[{}, [5, 4, 3, 2, 1]],
			[{limit: 2}, [5, 4, 'before 4']],
			[{limit: 2, before: 4}, [3, 2, 'before 2']],
			[{limit: 2, before: 2}, [1]],
			[{after: 3}, [5, 4]],
			[{entry: 3}, [3]],
			[{entry: 9}, []],
			[{kind: 'agent'}, [3]],
			[{by: 'anna'}, [5]],
			[{by: 'elsewhere'}, [4]],
			[{records: ['lamps', 1]}, [3, 2]],
			[{records: [7, '7']}, [5, 4, 1]],
			[{since: '2026-01-02T03:01:00Z', until: '2026-01-02T04:03:00+01:00'}, [3, 2]],
		];
		for (const [query, expected] of queries) {
			const {entries, next, isWhole} = await history.read(query);
			assert.deepEqual(
				[[...entries.map(({id}) => id), ...(next === undefined ? [] : [`before ${next}`])], isWhole],
				[expected, false],
				JSON.stringify(query),
			);
		}

		// Only the first question went to the service.
		assert.deepEqual(asked(), ['/history?']);
	}
});

test('a page on this machine describes long values, and an entry alone has the text before and the difference', async t => {
	const from = Array.from({length: 200}, (_, index) => `line ${index}\n`).join('');
	const to = from.replace('line 100\n', 'line one hundred\n');
	const names = Array.from({length: 200}, (_, index) => `ability ${index}`);
	const {history} = await openWith(t, undefined, [
		{kind: 'agent', field: 'prompt', from, to},
		{kind: 'agent', field: 'abilities', from: [], to: names},
		{kind: 'agent', field: 'prompt', from, to: 'x'.repeat(200_000)},
	]);
	const {entries} = await history.read({});
	const [huge, ties, prompt] = entries;
	assert.deepEqual(
		[huge!.to, ties!.to, prompt!.from, prompt!.to].map(value => JSON.stringify(value).slice(0, 24)),
		['{"characters":200000,"sh', '{"characters":2691,"sha2', '{"characters":1690,"sha2', '{"characters":1698,"sha2'],
	);
	const alone = async (id: number) => {
		const page = await history.read({entry: id});
		return page.entries[0]!;
	};

	assert.deepEqual((await alone(2)).to, names);
	const {from: whole, to: described} = await alone(1);
	assert.equal(whole, from);
	assert.match(JSON.stringify(described), /"difference":"@@ -98,7 \+98,7 @@\\n line 97\\n.*\\n-line 100\\n\+line one hundred\\n/);
	assert.equal((await withWholeTexts(await alone(1))).to, to);
});
