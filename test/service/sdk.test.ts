import {assert, test} from '../helpers/node.ts';
import {paths, shareTestService} from './running-service.ts';
import {fieldsOf} from './kit.ts';

const service = await shareTestService();

const verifyPaths = ['/api/sdk/verify_apikey/', '/api/sdk/verify_apikey'];
const agentPaths = ['/api/sdk/get_personalities', '/api/sdk/get_personalities/'];

for (const path of verifyPaths) {
	test(`${path} accepts any body, and says whether its key is valid`, async () => {
		const bodies = [{api_key: service.key}, {api_key: `${service.key}x`}, {api_key: ''}, {api_key: null}, {}, '{broken', undefined];
		// The key in the header does not count.
		const answers = await Promise.all(bodies.map(async body => service.ask('POST', path, {body})));
		assert.deepEqual(
			fieldsOf(answers, 'status'),
			bodies.map(() => 200),
		);
		assert.deepEqual(
			fieldsOf(answers, 'json'),
			bodies.map((_body, index) => ({valid: index === 0})),
		);
	});
}

for (const path of agentPaths) {
	test(`${path} returns the agents in an object, with their images on request`, async () => {
		const agents = await service.read(paths.agents);
		const withImages = await service.ask('POST', path, {key: null, body: {api_key: service.key, with_image: true}});
		assert.deepEqual(withImages.json, {personalities: agents});

		const plain = agents.map(({image, ...agent}) => agent);
		const unsaid = await service.ask('POST', path, {key: null, body: {api_key: service.key}});
		assert.deepEqual(unsaid.json, {personalities: plain});
		const unwanted = await service.ask('POST', path, {key: null, body: {api_key: service.key, with_image: false}});
		assert.deepEqual(unwanted.json, {personalities: plain});
	});
}

test('a value of the wrong type is refused with the name of the field after the key is accepted', async () => {
	const {status, json} = await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key, with_image: 'true'}});
	assert.equal(status, 400);
	assert.match((json as {detail: string}).detail, /with_image/);
});
