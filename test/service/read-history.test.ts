import {assert, test} from '../helpers/node.ts';
import {formatHistoryQuery, type HistoryQuery} from '../../source/interface/history.ts';
import {addEntries, execute, readPage, toggle} from './history-pages.ts';
import {fieldsOf, named, paths, startTestService, temporaryDataFolder, testOnEach, uploadForm} from './kit.ts';

testOnEach('the history is read by time, record, kind, author and number, page by page', async location => {
	await using service = await startTestService({location});
	const anna = await service.createKey('default');
	await toggle(service, 'pantry', false);
	await toggle(service, 'nightwatch', true, anna);
	await toggle(service, 'pantry', true, anna);
	const [agent] = await service.read(paths.agents);
	await service.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], name: 'Pantry'}});
	await execute(
		location,
		`
		update history set person = 'Ännä', folded_person = 'ännä' where number = 4;
		update history set at = '2026-03-0' || number || 'T10:00:00.000Z' where account_id = 1`,
	);
	const {id: nightwatch} = named(await service.read(paths.installed), 'nightwatch');
	const all = (await readPage(service)).entries;
	assert.deepEqual(fieldsOf(all, 'id', 'by', 'key'), [
		[6, 'key 1', 'key 1'],
		[5, 'key 2', 'key 2'],
		[4, 'Ännä', 'key 2'],
		[3, 'key 1', 'key 1'],
		[2, 'operator', null],
		[1, 'operator', null],
	]);
	const wanted: ReadonlyArray<readonly [HistoryQuery, readonly number[], number | null]> = [
		[{since: '2026-03-05T10:00:00Z'}, [6, 5], null],
		[{since: '2026-03-05T12:00:00+02:00', until: '2026-03-06T10:00:00.000Z'}, [5], null],
		[{until: '2026-03-02'}, [1], null],
		[{records: ['PANTRY']}, [5, 3], null],
		[{records: [String(nightwatch), 'hearth']}, [6, 4], null],
		[{records: ['nobody']}, [], null],
		[{kind: 'key'}, [2, 1], null],
		[{by: 'KEY 2'}, [5, 4], null],
		[{by: 'ÄNNÄ'}, [4], null],
		[{by: 'Operator', records: ['key 2']}, [2], null],
		[{after: 4}, [6, 5], null],
		[{before: 3}, [2, 1], null],
		[{limit: 2}, [6, 5], 5],
		[{limit: 2, before: 5}, [4, 3], 3],
		[{limit: 2, before: 3}, [2, 1], null],
		[{limit: 1, kind: 'key'}, [2], 2],
		[{entry: 4}, [4], null],
		[{entry: 4, kind: 'key'}, [], null],
		[{entry: 4_000_000}, [], null],
		[{after: 6}, [], null],
	];
	for (const [query, ids, next] of wanted) {
		const page = await readPage(service, query);
		assert.deepEqual([page.entries.map(({id}) => id), page.next], [ids, next], formatHistoryQuery(query));
	}
});

test('few entries are found among very many', async () => {
	const location = temporaryDataFolder();
	await using service = await startTestService({location});
	await toggle(service, 'pantry', false);
	await execute(location, addEntries(1, 11_000));
	const page = await readPage(service, {records: ['pantry']});
	assert.deepEqual([page.entries.map(({id}) => id), page.next], [[2], null]);
	const first = await readPage(service, {records: ['old'], limit: 1000});
	assert.deepEqual([first.entries.length, first.next, first.entries[0]!.id], [1000, 10_003, 11_002]);
});

test('a page that has not changed is answered with 304, and another one as a whole', async () => {
	await using service = await startTestService();
	const {headers, status} = await service.ask('GET', '/history');
	const etag = headers.get('etag')!;
	const ask = async (query: string) => (await service.ask('GET', `/history${query}`, {headers: {'if-none-match': etag}})).status;
	assert.deepEqual([status, headers.get('cache-control'), await ask(''), await ask('?kind=agent')], [200, 'private, no-cache', 304, 200]);
	await toggle(service, 'pantry', false);
	assert.deepEqual([await ask(''), await ask('?before=2')], [200, 304]);
});

test('nothing of another account is found, whatever is asked for', async () => {
	const location = temporaryDataFolder();
	await using service = await startTestService({location});
	const foreign = await service.createKey('other');
	assert.equal((await service.ask('POST', paths.upload, {key: foreign, body: await uploadForm()})).status, 200);
	await toggle(service, 'lamps', false, foreign);
	await execute(location, "update history set person = 'eve', folded_person = 'eve' where account_id > 1");
	const {entries: theirs} = await readPage(service, {}, foreign);
	assert.equal(theirs.length, 4);
	const {json} = await service.ask('GET', '/openapi.json');
	const described = (
		json as {readonly paths: Readonly<Record<string, {readonly get: {readonly parameters: ReadonlyArray<{readonly name: string}>}}>>}
	).paths['/history']!.get.parameters;
	const values: Readonly<Record<string, readonly string[]>> = {
		since: ['1970-01-01'],
		until: ['9999-12-31'],
		record: [...theirs.flatMap(({record, name}) => [String(record), name]), ...theirs.map(({name}) => `${name}' or 1=1 --`), '%', '_'],
		kind: ['installed', 'ability', 'agent', 'key'],
		by: ['eve', 'key 1', 'operator', '%'],
		before: ['9007199254740991'],
		after: ['1'],
		limit: ['1', '1000'],
		entry: theirs.map(({id}) => String(id)),
	};
	assert.deepEqual(described.map(({name}) => name).toSorted(), Object.keys(values).toSorted());
	const own = new Set((await readPage(service)).entries.map(entry => JSON.stringify(entry)));
	assert.equal(own.size, 1);
	const pairs = Object.entries(values).flatMap(([name, texts]) => texts.map(text => [name, text] as const));
	const queries = pairs.flatMap((first, index) =>
		pairs
			.slice(index)
			.filter(([name]) => name === 'record' || name !== first[0])
			.map(second => new URLSearchParams([[...first], [...second]]).toString()),
	);
	for (const query of queries) {
		const {status, json: page, text} = await service.ask('GET', `/history?${query}`);
		assert.equal(status, 200, `${query} ${text}`);
		for (const entry of (page as {readonly entries: readonly unknown[]}).entries) {
			assert.ok(own.has(JSON.stringify(entry)), `${query} ${JSON.stringify(entry)}`);
		}
	}
});

test('a parameter that is not valid is refused with its name, and the history needs a key', async () => {
	await using service = await startTestService();
	for (const [query, detail] of [
		['since=yesterday', 'The field since must be a time such as 2026-01-31T18:00:00Z.'],
		['until=2026-13-01', 'The field until must be a time such as 2026-01-31T18:00:00Z.'],
		['since=12', 'The field since must be a time such as 2026-01-31T18:00:00Z.'],
		['since=2026-01-01&since=2026-01-02', 'The field since must be a string.'],
		['record=', 'The field record must be an id or a name.'],
		[Array.from({length: 101}, (_, index) => `record=${index}`).join('&'), 'The field record may be given at most 100 times.'],
		['kind=person', 'The field kind must be one of installed, ability, agent, key.'],
		['by=', 'The field by must not be empty.'],
		['before=-1', 'The field before must be a positive whole number.'],
		['after=1.5', 'The field after must be a positive whole number.'],
		['limit=0', 'The field limit must be a positive whole number.'],
		['limit=1001', 'The field limit may be at most 1000.'],
		['entry=newest', 'The field entry must be a positive whole number.'],
		['by=%00', 'The query is not valid.'],
	] as const) {
		const {status, json} = await service.ask('GET', `/history?${query}`);
		assert.deepEqual([status, json], [400, {detail}], query);
	}

	for (const key of [null, 'sb_wrong']) {
		assert.equal((await service.ask('GET', '/history', {key})).status, 401);
	}

	assert.equal((await service.ask('POST', '/history')).status, 404);
});
