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

test('enable of an ability that is not installed says how to install it', async (t: TestContext) => {
	const {run, service} = await start(t);
	const answer = (word: string) => ended(4, '', `lamplighter is not installed. Nothing was done.\nTo install it, use: switchboard install ${word}\n`);
	assert.deepEqual(await run(['enable', 'Lamplighter']), answer('Lamplighter'));
	assert.deepEqual(await run(['toggle', 'lamps', '44']), answer('44'));
	assert.deepEqual(service.requests.filter(({method}) => method !== 'GET'), []);
});

test('enable with the id of an ability names the id of the installed ability', async (t: TestContext) => {
	const {run} = await start(t);
	assert.deepEqual(await run(['disable', '21']), ended(4, '', '21 is the id of the ability lamps; the id of the installed ability is 7. Nothing was done.\nUse 7, or the name.\n'));
});

test('enable of an unknown name says that no such ability is installed', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['enable', 'attic']), notFound('installed ability', 'attic', 'installed'));
	service.failNext({status: 404, times: 2, when: ({path}) => path.includes('get-all-capabilit')});
	assert.deepEqual(await run(['enable', 'attic']), notFound('installed ability', 'attic', 'installed'));
});
