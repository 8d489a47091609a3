import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {startLiveLikeService} from '../helpers/live-like-service.ts';
import {createRun, ended, notFound} from './outcomes.ts';

const start = async (t: TestContext) => {
	const service = await startLiveLikeService();
	service.abilities = [{id: 21, name: 'lamps'}, {id: 44, name: 'lamplighter', is_installed: false}];
	service.installed = [{id: 7, name: 'lamps', enabled: false}];
	t.after(async () => service.close());
	return {service, ...await createRun(service)};
};

test('enable of an ability that is there and not installed says how to install it, and nothing is switched', async (t: TestContext) => {
	const {run, service} = await start(t);
	const answer = ended(4, '', 'lamplighter is not installed. Nothing was done.\nTo install it: open switchboard, press 2 for Abilities, go to it and press i.\n');
	assert.deepEqual(await run(['enable', 'Lamplighter']), answer);
	assert.deepEqual(await run(['toggle', 'lamps', '44']), answer);
	assert.deepEqual(service.requests.filter(({method}) => method !== 'GET'), []);
});

test('the id of the ability in place of that of the installed one is told apart from it', async (t: TestContext) => {
	const {run} = await start(t);
	assert.deepEqual(await run(['disable', '21']), ended(4, '', '21 is the id of the ability lamps, which as an installed one has the id 7. Nothing was done.\nGive 7, or the name.\n'));
});

test('what is no ability at all, or cannot be looked for, is not installed', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['enable', 'attic']), notFound('installed ability', 'attic', 'installed'));
	service.failNext({status: 404, times: 2, when: ({path}) => path.includes('get-all-capabilit')});
	assert.deepEqual(await run(['enable', 'attic']), notFound('installed ability', 'attic', 'installed'));
});
