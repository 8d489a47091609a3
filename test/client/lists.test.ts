import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {htmlAnswer, jsonAnswer} from '../helpers/answers.ts';
import {charsetAnswer} from '../helpers/odd-answers.ts';
import type {ListShape} from '../helpers/live-like/lists.ts';
import {entriesThatAreNoRecord} from '../helpers/live-like/home.ts';
import type {RecordedRequest} from '../helpers/recorded-requests.ts';
import {clientOf, failureOf, fieldsOf, lines, paths, startDocumented, startLiveLike, startOdd, told} from './clients.ts';

const ids = ({records}: {readonly records: ReadonlyArray<{readonly id: number}>}): readonly number[] => records.map(({id}) => id);

for (const listShape of ['bare', 'named', 'results', 'data'] as const satisfies readonly ListShape[]) {
	for (const idStyle of ['number', 'digits'] as const) {
		test(`lists come ${listShape === 'bare' ? 'bare' : `wrapped (${listShape})`} with ids as ${idStyle}`, async (t: TestContext) => {
			const client = clientOf(await startLiveLike(t, {listShape, idStyle}));
			const lists = [await client.list('agents'), await client.list('abilities'), await client.list('installed')];
			assertMapped(lists, list => ids(list), [
				[1, 2],
				[21, 22, 23, 24],
				[301, 302, 303],
			]);
			assert.ok(lists.every(({isComplete, leftOutCount}) => isComplete && leftOutCount === 0));
		});
	}
}

test('records with only the documented fields are accepted', async (t: TestContext) => {
	const client = clientOf(await startDocumented(t));
	assert.deepEqual(fieldsOf((await client.list('abilities')).records, 'id', 'name'), [
		[11, '#11'],
		[12, '#12'],
		[13, '#13'],
	]);
	assert.deepEqual(fieldsOf((await client.list('installed')).records, 'id', 'isEnabled'), [
		[101, true],
		[102, false],
		[103, true],
	]);
});

test('entries that are not records are left out and counted, on every page', async (t: TestContext) => {
	const service = await startLiveLike(t, {listShape: 'results', pageSize: 4});
	service.installed.push(...entriesThatAreNoRecord);
	const {records, leftOutCount, isComplete} = await clientOf(service).list('installed');
	assert.deepEqual([records.length, leftOutCount, isComplete], [3, entriesThatAreNoRecord.length, true]);
});

for (const [title, answer, words] of [
	['an empty answer', {status: 200}, /an empty answer instead of a list.*Check the address/],
	['204', {status: 204}, /an empty answer instead of a list/],
	['a page', htmlAnswer('<!DOCTYPE html><title>Sign in</title>'), /a web page instead of a list.*proxy or a sign-in page/],
	['broken JSON', {body: '[{"id": 1},'}, /“\[\{"id": 1\},” instead of a list/],
	['a JSON object that is no list', jsonAnswer({detail: 'Hello'}), /“\{"detail":"Hello"\}” instead of a list/],
	['a number', jsonAnswer(7), /“7” instead of a list/],
	['escape sequences', {body: '\u{1B}]0;owned\u{7}\u{1B}[31mred\u{202E}\nnext'}, /“red next” instead of a list/],
] as const) {
	test(`${title} in place of a list is reported`, async (t: TestContext) => {
		const error = await failureOf(clientOf(await startOdd(t, {[paths.installed]: answer})).list('installed'));
		assert.equal(error.kind, 'unintelligible');
		assert.match(told(error), words);
		assert.doesNotMatch(told(error), /[\u{0}-\u{1F}\u{7F}-\u{9F}\u{202E}]/u);
	});
}

test('a list with an unknown charset is read as UTF-8', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: charsetAnswer('[{"id": 1, "name": "lamps"}]', 'klingon')});
	assert.equal((await clientOf(service).list('installed')).records[0]?.name, 'lamps');
});

test('a list that the caller has comes back as the same object if its tag is unchanged', async (t: TestContext) => {
	const tagged = (tag: string, body: unknown) => ({headers: {etag: tag}, body: JSON.stringify(body)});
	const service = await startOdd(t);
	service.program(
		paths.installed,
		tagged('"one"', [{id: 1}]),
		{status: 304},
		tagged('W/"two"', [{id: 2}]),
		{status: 304},
		{status: 200, body: '[]'},
		{status: 200, body: '[]'},
	);
	const client = clientOf(service);
	const lists = [await client.list('installed')];
	for (let count = 1; count < 6; count++) {
		lists.push(await client.list('installed', undefined, lists.at(-1)));
	}

	assert.equal(lists[1], lists[0]);
	assert.deepEqual(ids(lists[2]!), [2]);
	assert.equal(lists[3], lists[2]);
	assertMapped(service.requests, ({headers}) => headers['if-none-match'], [undefined, '"one"', '"one"', 'W/"two"', 'W/"two"', undefined]);
});

test('records that have not changed stay the same objects', async (t: TestContext) => {
	const service = await startOdd(t);
	const phrases = (...words: readonly string[]) => ({trigger_words: words, extra: {level: 1, notes: null}});
	service.program(
		paths.installed,
		jsonAnswer([{id: 1, ...phrases('one')}, {id: 2, ...phrases('two')}, {id: 3, ...phrases('three')}, {id: 4}]),
		jsonAnswer([
			{id: 3, ...phrases('three', 'four')},
			{...phrases('one'), id: 1},
			{id: 2, ...phrases('two'), extra: {level: 1}},
			{id: 4, enabled: null},
		]),
	);
	const client = clientOf(service);
	const before = await client.list('installed');
	const after = await client.list('installed', undefined, before);
	assert.deepEqual(fieldsOf(after.records, 'id'), [3, 1, 2, 4]);
	assertMapped(after.records, record => before.records.includes(record), [false, true, false, false]);
	assert.deepEqual(after.records[0]!.triggerPhrases, ['three', 'four']);
});

test('a tag is sent with its own list only', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {headers: {etag: '"one"'}, body: '[]'}});
	const client = clientOf(service);
	await client.list('installed');
	await client.list('agents');
	await client.list('agents', undefined, {records: [], leftOutCount: 0, isComplete: true});
	assertMapped(service.requests, ({headers}) => headers['if-none-match'], [undefined, undefined, undefined]);
});

test('304 to an unconditional request is an error', async (t: TestContext) => {
	const error = await failureOf(clientOf(await startOdd(t, {[paths.installed]: {status: 304}})).list('installed'));
	assert.equal(error.kind, 'unintelligible');
	assert.match(told(error), /HTTP 304.*Check the address/);
});

test('a list of several pages is always read completely: a tag covers one page', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.installed]: ({query}: RecordedRequest) => ({
			headers: {etag: '"first"'},
			body: JSON.stringify(query === '' ? {results: [{id: 1}], next: '?page=2'} : {results: [{id: 2}], next: null}),
		}),
	});
	const client = clientOf(service);
	const first = await client.list('installed');
	const lists = [first, await client.list('installed', undefined, first)];
	assertMapped(lists, list => ids(list), [
		[1, 2],
		[1, 2],
	]);
	assert.ok(service.requests.every(({headers}) => headers['if-none-match'] === undefined));
});

for (const [title, nextAddress] of [
	['an absolute address', undefined],
	['a query alone', (page: number) => `?page=${page}`],
	['a path', (page: number, path: string) => `${path}?page=${page}`],
] as const) {
	test(`pages are followed where the next one is ${title}`, async (t: TestContext) => {
		const service = await startLiveLike(t, {listShape: 'results', pageSize: 1, nextAddress});
		const {records, isComplete} = await clientOf(service).list('abilities');
		assert.deepEqual([ids({records}), isComplete], [[21, 22, 23, 24], true]);
		assert.deepEqual(
			lines(service.requests).slice(1),
			['', '?page=2', '?page=3', '?page=4'].map(query => `GET ${paths.abilitiesAlsoSeen}${query}`),
		);
		assert.ok(service.requests.every(({headers}) => headers['x-api-key'] === service.apiKey));
	});
}

test('a next page on another origin is not read, and the list is marked incomplete', async (t: TestContext) => {
	const other = await startOdd(t, {'*': jsonAnswer([{id: 9}])});
	const nextAddresses = [
		`${other.baseAddress}/x?page=2`,
		other.baseAddress.replace('127.0.0.1', 'localhost'),
		'//voice.example.com/',
		'https://127.0.0.1:1/',
		'file:///etc/passwd',
		'http://',
		'ftp://127.0.0.1/x',
	];
	const lists = await Promise.all(
		nextAddresses.map(async next => {
			const service = await startOdd(t, {[paths.installed]: jsonAnswer({results: [{id: 1}], next})});
			const list = await clientOf(service).list('installed');
			return [ids(list), list.isComplete, service.requests.length];
		}),
	);
	assert.deepEqual(
		lists,
		nextAddresses.map(() => [[1], false, 1]),
	);
	assert.deepEqual(other.requests, []);
});

test('a next page without the port in its address is read from the origin of the list', async (t: TestContext) => {
	const service = await startLiveLike(t, {
		listShape: 'data',
		pageSize: 2,
		nextAddress: (page, path) => `http://user:word@127.0.0.1${path}?page=${page}`,
	});
	const {records, isComplete} = await clientOf(service).list('installed');
	assert.deepEqual([ids({records}), isComplete], [[301, 302, 303], true]);
	assert.ok(service.requests.every(({headers}) => headers.authorization === undefined));
});

test('a page that was read before ends the list', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.installed]: ({query}: RecordedRequest) =>
			jsonAnswer({results: [{id: query === '' ? 1 : 2}], next: query === '' ? '?page=2' : paths.installed}),
		[paths.agents]: jsonAnswer({results: [{id: 1}], next: paths.agents}),
	});
	const client = clientOf(service);
	const lists = [await client.list('installed'), await client.list('agents')];
	assertMapped(lists, list => [ids(list), list.isComplete], [
		[[1, 2], false],
		[[1], false],
	]);
	assert.equal(service.requests.length, 3);
});

test('a list with pages without end is an error that says how much was read', async (t: TestContext) => {
	let count = 0;
	const service = await startOdd(t, {[paths.installed]: () => jsonAnswer({results: [{id: ++count}], next: `?page=${count}`})});
	const error = await failureOf(clientOf(service).list('installed'));
	assert.equal(error.kind, 'unintelligible');
	assert.equal(
		told(error),
		[
			'The list of installed abilities is longer than the limit of 100,000 records, 500 pages and 64 MB.',
			'Read so far: 500 records on 500 pages; the list is not complete.',
			'Check the address of the service.',
		].join(' '),
	);
	assert.equal(count, 500);
});

test('a list of pages that are megabytes long is an error, too', async (t: TestContext) => {
	let count = 0;
	const padding = ' '.repeat(16 * 1024 * 1024);
	const service = await startOdd(t, {
		[paths.installed]: () => ({body: `${padding}{"results": [{"id": ${++count}}], "next": "?page=${count}"}`}),
	});
	const error = await failureOf(clientOf(service).list('installed'));
	assert.match(error.message, /longer than the limit .+ Read so far: 4 records on 4 pages; the list is not complete\.$/);
	assert.equal(count, 4);
});

test('a record that moves to the next page during the read is listed once', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.installed]: ({query}: RecordedRequest) =>
			jsonAnswer(query === '' ? {results: [{id: 1}, {id: 2}], next: '?page=2'} : {results: [{id: 2}, {id: 3}]}),
	});
	assert.deepEqual(ids(await clientOf(service).list('installed')), [1, 2, 3]);
});

test('if one page fails, the list fails', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, jsonAnswer({results: [{id: 1}], next: '?page=2'}), jsonAnswer({detail: 'Database is away'}, 500));
	const error = await failureOf(clientOf(service).list('installed'));
	assert.equal(error.kind, 'server-error');
	assert.match(error.message, /Database is away/);
});
