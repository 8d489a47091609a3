import {assert, test, type TestContext} from '../helpers/node.ts';
import {createIsolatedHome, jsonAnswer, lastError, parseJson, runCommand, startOddService} from './kit.ts';

test('an ability missing from an incomplete list does not count as deleted', async (t: TestContext) => {
	const home = createIsolatedHome();
	let listCount = 0;
	const listPath = '/api/capabilities/get-all-capability/';
	const service = await startOddService({
		[listPath]: () => jsonAnswer({results: [++listCount === 1 ? {id: 7, name: 'lamps'} : {id: 8, name: 'pantry'}], next: listPath}),
	});
	t.after(async () => service.close());
	const result = await runCommand(['abilities', 'delete', '7', '--yes', '--json'], {
		env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey},
	});
	assert.deepEqual(
		[result.exitCode, parseJson(result.stdout)],
		[4, [{capability_id: 7, name: 'lamps', deleted: false, error: lastError(result)}]],
	);
	assert.equal(lastError(result).kind, 'not-found');
});
