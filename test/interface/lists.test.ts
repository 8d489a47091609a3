import {assert, assertMapped, assertNone, test} from '../helpers/node.ts';
import {decodeList, decodeListInSteps, withoutDuplicates} from '../../source/interface/lists.ts';
import {fieldsOf} from '../helpers/fields-of.ts';

const entries = [{id: 1}, {id: '2'}];

const shapes: ReadonlyArray<readonly [title: string, body: unknown]> = [
	['a bare array', entries],
	['{"personalities"}', {personalities: entries}],
	['{"abilities"}', {abilities: entries}],
	['{"capabilities"}', {capabilities: entries}],
	['{"results"}', {count: 2, next: null, previous: null, results: entries}],
	['{"data"}', {data: entries}],
	['a list inside data', {data: {results: entries}}],
	['a list beside words of success', {status: 'ok', code: 200, data: {capabilities: entries}}],
];

for (const [title, body] of shapes) {
	test(`${title} is a list`, () => assert.deepEqual(fieldsOf(decodeList('abilities', body)!.records, 'id'), [1, 2]));
}

test('a body that is not a list does not count as an empty list', () => {
	const bodies = [
		undefined,
		null,
		'x',
		7,
		true,
		{},
		{detail: 'no'},
		{results: 'x'},
		{data: {detail: 'no'}},
		{error: {code: 1, message: 'x'}},
	];
	assertNone(bodies, body => decodeList('agents', body) !== undefined);
});

test('an empty list is a list', () => {
	const bodies = [[], {results: []}, {abilities: null}, {data: {capabilities: []}}];
	assertMapped(bodies, body => decodeList('agents', body)?.records, [[], [], [], []]);
});

test('a field with null does not hide the field with the list', () =>
	assert.equal(decodeList('agents', {abilities: null, results: entries})?.records.length, 2));

test('entries that are not records are left out and counted', () => {
	const list = decodeList('installed', [null, {id: 1, enabled: true}, 'x', {}, {id: null}, {id: 2}, 7, []]);
	assert.deepEqual(fieldsOf(list!.records, 'id'), [1, 2]);
	assert.equal(list?.leftOutCount, 6);
});

test('a duplicate record is listed once and not counted as left out', () => {
	const list = decodeList('agents', [{id: 1, name: 'first'}, {id: '1', name: 'second'}, {id: 2}]);
	assert.deepEqual(fieldsOf(list!.records, 'name'), ['first', '#2']);
	assert.equal(list?.leftOutCount, 0);
	assert.deepEqual(withoutDuplicates([{id: 3}, {id: 1}, {id: 3}]), [{id: 3}, {id: 1}]);
});

test('the address of the next page is read beside the list or beside its wrapper', () => {
	const nexts = [
		{results: [], next: 'https://a.example/?page=2'},
		{data: {results: [], next: '/x/?page=2'}},
		{next: '/outer', data: {results: [], next: '/inner'}},
		{results: [], next: null},
		{results: [], next: ''},
		{results: [], next: 7},
		[],
	].map(body => decodeList('agents', body)?.next);
	assert.deepEqual(nexts, ['https://a.example/?page=2', '/x/?page=2', '/outer', undefined, undefined, undefined, undefined]);
});

test('a deeply nested body is not a list and does no harm', () => {
	let body: unknown = [{id: 1}];
	for (let depth = 0; depth < 200_000; depth++) {
		body = {data: body};
	}

	assert.equal(decodeList('agents', body), undefined);
});

test('a list of ten thousand records is read whole', () => {
	const many = Array.from({length: 10_000}, (_value, index) => ({id: index, name: `ability ${index}`}));
	assert.equal(decodeList('abilities', many)?.records.length, 10_000);
});

test('others have their turn while a long list is decoded', async () => {
	const isInterrupted = async (count: number): Promise<boolean> => {
		let hadTurn = false;
		setImmediate(() => {
			hadTurn = true;
		});
		const list = await decodeListInSteps(
			'abilities',
			Array.from({length: count}, (_value, index) => ({id: index, name: 'lamps'})),
			undefined,
		);
		assert.equal(list?.records.length, count);
		return hadTurn;
	};

	assert.deepEqual([await isInterrupted(1000), await isInterrupted(1001)], [false, true]);
});
