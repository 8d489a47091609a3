import {assert, test, type TestContext} from '../helpers/node.ts';
import {clientOf, lines, paths, startLiveLike} from './clients.ts';

const bodyOf = ({body}: {readonly body: string}): unknown => JSON.parse(body);

test('new phrases are sent by the documented path, with the rest of the record unchanged', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const client = clientOf(service);
	const {records} = await client.list('installed');
	const edited = await client.editInstalled(records[0]!, {triggers: ['light it up']});
	assert.deepEqual(edited.triggerPhrases, ['light it up']);
	assert.equal(edited.isEnabled, true);
	assert.deepEqual(lines(service.requests).slice(1), [`PUT ${paths.editInstalled(301)}`]);
	assert.deepEqual(bodyOf(service.requests[1]!), {
		enabled: true,
		name: 'lamps',
		category: 'skill',
		trigger_words: ['light it up'],
		system_capability: false,
		agent_capability: true,
	});
});

test('phrases that came as one text are sent as one text', async (t: TestContext) => {
	const service = await startLiveLike(t, {home: {installed: [{id: 301, enabled: false, trigger_words: 'lamps please,it is dark'}]}});
	const client = clientOf(service);
	const {records} = await client.list('installed');
	const edited = await client.editInstalled(records[0]!, {triggers: ['light it up', 'it is dark']});
	assert.deepEqual(bodyOf(service.requests[1]!), {enabled: false, trigger_words: 'light it up,it is dark'});
	assert.deepEqual(edited.triggerPhrases, ['light it up', 'it is dark']);
});
