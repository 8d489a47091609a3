import {assert, test, type TestContext} from '../helpers/node.ts';
import {toPublicRecord} from '../../source/interface/records.ts';
import {clientOf, failureOf, jsonAnswer, startOdd, told} from './clients.ts';

const apiKey = String.raw`k3y-S3cr3t/+$&=(0123456789)"\%41`;

const spellings = [apiKey, encodeURIComponent(apiKey), encodeURI(apiKey), JSON.stringify(apiKey).slice(1, -1), 'S3cr3t'];

const escapedAll = (text: string): string =>
	text.replaceAll(/[\s\S]/gu, character => String.raw`\u` + character.codePointAt(0)!.toString(16).padStart(4, '0'));

const holdsKey = (value: unknown): boolean => spellings.some(spelling => JSON.stringify(value).includes(spelling));

const records = [
	{
		id: 1,
		name: `lamps ${apiKey}`,
		category: 'skill',
		trigger_words: ['hello', apiKey],
		enabled: true,
		description: `${apiKey}\n\nx`,
		note: {deep: [encodeURIComponent(apiKey)], [apiKey]: 1},
	},
	{id: 2, name: 'pantry', category: 'skill', trigger_words: [], enabled: true, description: String.raw`é \ " / \u0041`},
];

const bodies: ReadonlyArray<readonly [title: string, body: string]> = [
	['as it is', JSON.stringify(records)],
	['every character escaped', JSON.stringify(records).replaceAll(JSON.stringify(apiKey).slice(1, -1), escapedAll(apiKey))],
	['slashes escaped', JSON.stringify(records).replaceAll('/', String.raw`\/`)],
];

for (const [title, body] of bodies) {
	test(`a record that holds the key comes without it, and the others as they are: ${title}`, async (t: TestContext) => {
		const service = await startOdd(t, {'*': {headers: {'content-type': 'application/json'}, body}});
		const client = clientOf({...service, apiKey});
		for (const resource of ['agents', 'abilities', 'installed'] as const) {
			const list = await client.list(resource);
			const [first, second] = list.records;
			assert.ok(!holdsKey([first, toPublicRecord(resource, first!)]), JSON.stringify(first));
			assert.equal(first!.name, 'lamps [API key removed]');
			assert.deepEqual(second!.raw, records[1]);
		}
	});
}

test('a key in pieces is removed once cleaning has joined them', async (t: TestContext) => {
	for (const between of ['\u{200B}', '\u{AD}', '\u{1B}[31m', '\u{E0041}', '\u{7}']) {
		const split = [...apiKey].join(between);
		const service = await startOdd(t, {'*': jsonAnswer([{id: 1, name: split, description: `x\n${split}`, trigger_words: [split]}])});
		const {records: found} = await clientOf({...service, apiKey}).list('abilities');
		const {raw, ...shown} = found[0]!;
		assert.ok(!holdsKey(shown), JSON.stringify(shown));
		assert.equal(shown.name, '[API key removed]');
	}
});

test('what the key was removed from is not sent back', async (t: TestContext) => {
	const service = await startOdd(t, {'*': jsonAnswer(records)});
	const client = clientOf({...service, apiKey});
	const [installed] = (await client.list('installed')).records;
	const [agent] = (await client.list('agents')).records;
	const requestCount = service.requests.length;
	for (const failing of [
		async () => client.editInstalled(installed!, {enabled: false}),
		async () => client.editInstalled(installed!, {triggers: ['good night']}),
		async () => client.editAgent(agent!, {name: 'Hearth'}),
		async () => client.editAgent(agent!, {name: 'Hearth', prompt: 'before [API key removed] after'}),
	]) {
		const error = await failureOf(failing());
		assert.equal(error.kind, 'refused');
		assert.match(told(error), /has your API key in this record/);
	}

	assert.equal(service.requests.length, requestCount);
});
