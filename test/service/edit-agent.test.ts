import {assert, test} from '../helpers/node.ts';
import {fieldsOf, formOf, type JsonRecord, named, paths, shareTestService, startTestService} from './kit.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

const service = await shareTestService();

const prompt = 'First line.\n\nThird line, with “quotes” and\ta tab.';

/** The same edit in each of its two formats. */
const send = {
	form: async (fields: Fields) => service.ask('PUT', paths.editAgent, {body: formOf(fields)}),
	json: async (fields: Fields) => service.ask('PUT', paths.editAgent, {body: fields}),
};

const readAgent = async (name: string): Promise<JsonRecord> => named(await service.read(paths.agents), name);

for (const style of ['form', 'json'] as const) {
	test(`as ${style}: only the fields that are sent change, and the answer is the new record`, async () => {
		const before = await readAgent('Pepper');
		const personality_id = String(before['id']);
		const renamed = await send[style]({personality_id, name: 'Salt & Pepper'});
		assert.equal(renamed.status, 200);
		assert.deepEqual(renamed.json, {...before, name: 'Salt & Pepper'});

		const prompted = await send[style]({personality_id, description: prompt});
		assert.deepEqual(prompted.json, {...before, name: 'Salt & Pepper', description: prompt});
		assert.deepEqual(await readAgent('Salt & Pepper'), prompted.json);
		await send[style]({personality_id, name: 'Pepper'});
	});

	test(`as ${style}: the abilities that are sent replace the tied ones`, async () => {
		const before = await readAgent('Pepper');
		const abilities = await service.read(paths.abilities);
		const ids = ['bedtimestory', 'pantry'].map(name => named(abilities, name)['id'] as number).toSorted((first, second) => first - second);
		const edited = await send[style]({personality_id: String(before['id']), matching_capabilities: ids.map(String)});
		assert.deepEqual(edited.json, {...before, matching_capabilities: ids});
		const others = (await service.read(paths.agents)).filter(agent => agent['name'] !== 'Pepper');
		assert.ok(others.every(agent => (agent['matching_capabilities'] as readonly unknown[]).length > 0));
	});

	test(`as ${style}: a name that is empty, too long or has invisible characters is refused`, async () => {
		const {id} = await readAgent('Pepper');
		const answers = await Promise.all(
			['', '  ', 'x'.repeat(201), 'a\u{1B}[2Jb'].map(async name => send[style]({personality_id: String(id), name})),
		);
		assert.deepEqual(fieldsOf(answers, 'status'), [400, 400, 400, 400]);
		assert.deepEqual(
			answers.filter(({json}) => !(json as {detail: string}).detail.includes('name')),
			[],
		);
	});
}

test('one empty field in a form, or an empty list in JSON, unties all abilities', async () => {
	const pepper = await readAgent('Pepper');
	const byForm = await send.form({personality_id: String(pepper['id']), matching_capabilities: ''});
	assert.deepEqual(byForm.json, {...pepper, matching_capabilities: []});
	const hearth = await readAgent('Hearth');
	const byJson = await service.ask('PUT', paths.editAgent, {body: {personality_id: hearth['id'], matching_capabilities: []}});
	assert.deepEqual(byJson.json, {...hearth, matching_capabilities: []});
});

test('a prompt may be emptied', async () => {
	const pepper = await readAgent('Pepper');
	const {json} = await send.form({personality_id: String(pepper['id']), description: ''});
	assert.deepEqual(json, {...pepper, description: ''});
});

test('ids may be numbers in JSON', async () => {
	const pepper = await readAgent('Pepper');
	const first = named(await service.read(paths.abilities), 'pantry')['id'];
	const {json} = await service.ask('PUT', paths.editAgent, {body: {personality_id: pepper['id'], matching_capabilities: [first]}});
	assert.deepEqual(json, {...pepper, matching_capabilities: [first]});
});

const refusedBodies: ReadonlyArray<readonly [body: unknown, words: RegExp]> = [
	[{}, /personality_id/],
	[undefined, /personality_id/],
	[{name: 'New'}, /personality_id/],
	[{personality_id: null}, /personality_id/],
	[{personality_id: 'Pepper'}, /personality_id must be a whole number\.$/],
	[{personality_id: '1', name: 5}, /name/],
	[{personality_id: '1', description: ['x']}, /description/],
	[{personality_id: '1', matching_capabilities: '2'}, /matching_capabilities/],
	[{personality_id: '1', matching_capabilities: [2, null]}, /matching_capabilities\[1\]/],
	[formOf({name: 'New'}), /personality_id/],
	[formOf({personality_id: 'Pepper'}), /personality_id/],
	[formOf({personality_id: ['1', '2']}), /personality_id/],
];

test('an invalid edit is refused with the name of the field', async () => {
	const before = await service.read(paths.agents);
	for (const [body, words] of refusedBodies) {
		const {status, json} = await service.ask('PUT', paths.editAgent, {body});
		assert.equal(status, 400, String(words));
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await service.read(paths.agents), before);
});

test('an account whose agent was changed is no longer empty', async () => {
	await using changed = await startTestService({isSampleWanted: false});
	const [agent] = await changed.read(paths.agents);
	await changed.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], name: 'Mine'}});
	await changed.close();
	await using again = await startTestService({dataFolder: changed.dataFolder});
	assert.match(again.notes.join('\n'), /is not empty/);
});
