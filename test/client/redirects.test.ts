import {assert, test, type TestContext} from '../helpers/node.ts';
import {redirectAnswer} from '../helpers/odd-answers.ts';
import {clientOf, failureOf, installedOf, jsonAnswer, lines, paths, startOdd, told} from './clients.ts';

for (const status of [301, 302, 303, 307, 308] as const) {
	test(`${status} to another origin is not followed by reads or writes, and no key is sent there`, async (t: TestContext) => {
		const other = await startOdd(t, {'*': jsonAnswer([{id: 1, enabled: false}])});
		const service = await startOdd(t, {'*': redirectAnswer(`${other.baseAddress}/elsewhere`, status)});
		service.program(paths.installed, jsonAnswer([{id: 1, enabled: false}]), redirectAnswer(other.baseAddress, status));
		const client = clientOf(service, {retries: {reads: 2, writes: 1}});
		const record = await installedOf(client, 1);
		const errors = [
			await failureOf(client.list('installed')),
			await failureOf(client.list('abilities')),
			await failureOf(client.getAbility(1)),
			await failureOf(client.editInstalled(record, {enabled: true})),
			await failureOf(client.verifyKey()),
			await failureOf(client.list('agents')),
		];
		assert.deepEqual(other.requests, []);
		assert.deepEqual(
			errors.map(error => [error.kind, error.status]),
			errors.map(() => ['unintelligible', status]),
		);
		assert.ok(errors.every(error => told(error).includes(`redirects to ${other.baseAddress}, which is not followed`)));
		assert.equal(service.requests.length, 7, 'nothing is asked again');
	});

	test(`${status} on the same origin is not followed either`, async (t: TestContext) => {
		const service = await startOdd(t, {[paths.installed]: redirectAnswer('/login?next=%2F', status), '*': jsonAnswer([])});
		const error = await failureOf(clientOf(service).list('installed'));
		assert.match(told(error), /redirects to the path \/login, which is not followed/);
		assert.deepEqual(lines(service.requests), [`GET ${paths.installed}`]);
	});
}

for (const location of ['', 'https://', 'http://[', 'x'.repeat(9000), 'mailto:someone@example.com', 'data:text/plain,x']) {
	test(`a redirect to ${JSON.stringify(location.slice(0, 20))} is reported on one clean line`, async (t: TestContext) => {
		const headers = {location};
		const error = await failureOf(clientOf(await startOdd(t, {[paths.installed]: {status: 302, headers}})).list('installed'));
		assert.equal(error.kind, 'unintelligible');
		assert.ok(told(error).length < 500);
		assert.doesNotMatch(told(error), /null/);
		assert.doesNotMatch(told(error), /[\u{0}-\u{1F}\u{7F}-\u{9F}]/u);
	});
}
