import assert from 'node:assert/strict';
import {test} from 'node:test';
import {paths, startTestService} from './running-service.ts';

test('a key above the limit is told when to retry; other keys are not limited by it', async () => {
	await using service = await startTestService({requestsPerMinute: 3});
	const other = await service.createKey('other');
	// All operations are counted together, whatever their answer.
	const statuses = [
		(await service.ask('GET', paths.agents)).status,
		(await service.ask('PUT', paths.editInstalled(999_999), {body: {enabled: true}})).status,
		(await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key}})).status,
	];
	assert.deepEqual(statuses, [200, 404, 200]);

	const refusals = [
		await service.ask('GET', paths.installed),
		await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key}}),
		await service.ask('POST', '/api/sdk/verify_apikey/', {body: {api_key: service.key}}),
	];
	assert.deepEqual(refusals.map(({status}) => status), [429, 429, 429]);
	assert.match((refusals[0]!.json as {detail: string}).detail, /3 requests a minute/);
	const seconds = refusals.map(({headers}) => Number(headers.get('retry-after')));
	assert.deepEqual(seconds.filter(second => !(second >= 1 && second <= 60)), []);

	assert.equal((await service.ask('GET', paths.agents, {key: other})).status, 200);
	assert.equal((await service.ask('GET', paths.agents, {key: 'sb_wrong'})).status, 401);
});

test('requests to verify_apikey with invalid keys are limited too', async () => {
	await using service = await startTestService({requestsPerMinute: 2});
	const statuses = [];
	for (const guess of ['one', 'two', 'three']) {
		const {status} = await service.ask('POST', '/api/sdk/verify_apikey/', {key: null, body: {api_key: guess}});
		statuses.push(status);
	}

	assert.deepEqual(statuses, [200, 200, 429]);
});

test('without a limit no request is refused', async () => {
	await using service = await startTestService();
	const answers = await Promise.all(Array.from({length: 50}, async () => service.ask('GET', paths.agents)));
	assert.deepEqual(answers.filter(({status}) => status !== 200), []);
});
