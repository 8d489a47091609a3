import {assert, Buffer, test, type TestContext} from '../helpers/node.ts';
import {stringifyJson} from '../../source/interface/json.ts';
import {toPublicRecord} from '../../source/interface/records.ts';
import {clientOf, failureOf, fieldsOf, paths, startOdd, told} from './clients.ts';

const clientFor = async (t: TestContext, body: string | Uint8Array) =>
	clientOf(await startOdd(t, {'*': {headers: {'content-type': 'application/json'}, body}}));

async function recordsIn(t: TestContext, body: string | Uint8Array) {
	const client = await clientFor(t, body);
	return (await client.list('installed')).records;
}

test('numbers beyond what a number holds are no ids and no times', async (t: TestContext) => {
	const records = await recordsIn(
		t,
		'[{"id": 1, "enabled": 1e999, "last_updated": 1e999, "trigger_words": [1e999]}, {"id": 1e999}, {"id": 9007199254740993}, {"id": -1}]',
	);
	assert.deepEqual(fieldsOf(records, 'id', 'isEnabled', 'changedAt'), [[1, undefined, undefined]]);
	assert.match(stringifyJson(toPublicRecord('installed', records[0]!)), /"last_updated": null/);
});

test('a number of a million digits is read at once', async (t: TestContext) => {
	assert.deepEqual(fieldsOf(await recordsIn(t, `[{"id": 1, "size": ${'9'.repeat(1_000_000)}}]`), 'id'), [1]);
});

test('of a field that comes twice the last one counts', async (t: TestContext) => {
	assert.deepEqual(fieldsOf(await recordsIn(t, '[{"id": 1, "name": "a", "name": "b", "id": 2}]'), 'id', 'name'), [[2, 'b']]);
});

test('fields with the names of prototypes stay fields, and change nothing else', async (t: TestContext) => {
	const source =
		'{"id":1,"name":"x","enabled":false,"__proto__":{"polluted":true,"enabled":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"installed_cap_id":1}';
	const client = await clientFor(t, `[${source}]`);
	const [record] = (await client.list('installed')).records;
	assert.equal(record!.isEnabled, false);
	assert.equal(stringifyJson(toPublicRecord('installed', record!), 0), source);
	assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('bytes that are not UTF-8 become replacement characters, and a byte order mark is left out', async (t: TestContext) => {
	assert.equal((await recordsIn(t, Buffer.from('[{"id": 1, "name": "K\u{FC}che"}]', 'latin1')))[0]?.name, 'K\u{FFFD}che');
	assert.equal((await recordsIn(t, '\u{FEFF}[{"id": 1, "name": "Küche"}]'))[0]?.name, 'Küche');
});

for (const [title, body, found] of [
	['a hundred thousand lists in one another', '['.repeat(100_000) + ']'.repeat(100_000), 'JSON nested more than 100 levels deep'],
	[
		'a hundred thousand objects in one another',
		`[{"id": 1, "deep": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]`,
		'JSON nested more than 100 levels deep',
	],
] as const) {
	test(`${title} are reported, also in an error and in answer to one ability`, async (t: TestContext) => {
		const service = await startOdd(t, {'*': {body}, [paths.agents]: {status: 409, body}});
		const client = clientOf(service);
		for (const error of [
			await failureOf(client.list('installed')),
			await failureOf(client.getAbility(1)),
			await failureOf(client.verifyKey()),
		]) {
			assert.equal(error.kind, 'unintelligible');
			assert.match(told(error), new RegExp(`answered with ${found} instead of `));
		}

		assert.equal(
			told(await failureOf(client.list('agents'))),
			'The service reports a conflict (HTTP 409). Look at what is there, then try again.',
		);
	});
}

test('a list of more records than the limit is an error that says so', async (t: TestContext) => {
	const client = await clientFor(t, `[${Array.from({length: 100_001}, (_, id) => `{"id":${id}}`).join(',')}]`);
	const error = await failureOf(client.list('installed'));
	assert.equal(error.kind, 'unintelligible');
	assert.match(
		error.message,
		/longer than the limit of 100,000 records, .+ Read so far: 100,001 records on 1 page; the list is not complete\.$/,
	);
});
