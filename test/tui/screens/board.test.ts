import {assert, test, type TestContext} from '../../helpers/node.ts';
import {named, paths, startTestService, type TestService} from '../../service/running-service.ts';
import {includes, openApp, says, wide, type RenderedApp} from '../helpers/kit.ts';

const isOn = async (service: TestService, name: string): Promise<unknown> => named(await service.read(paths.installed), name)['enabled'];

/** The history with a rename, a switch of nightwatch and one of pantry on the bundled service, the oldest first. */
async function openHistory(t: TestContext): Promise<{readonly app: RenderedApp; readonly service: TestService}> {
	const service = await startTestService();
	t.after(async () => service.close());
	const installed = await service.read(paths.installed);
	const {personality_id: id, id: agentId, name} = named(await service.read(paths.agents), 'Hearth');
	await service.ask('PUT', paths.editAgent, {body: {personality_id: id ?? agentId, name: 'Hob'}});
	assert.equal(name, 'Hearth');
	for (const [record, enabled] of [
		['nightwatch', true],
		['pantry', false],
	] as const) {
		const {status} = await service.ask('PUT', paths.editInstalled(named(installed, record)['id']), {body: {enabled}});
		assert.equal(status, 200);
	}

	const app = await openApp(t, {service: {baseAddress: service.baseAddress, apiKey: service.key}, size: wide, until: 'pantry'});
	await app.press('H').shows(' > today', 'off → on');
	return {app, service};
}

test('in a history = shows what differs from the board as the change left it, and y brings that back with one undo', async t => {
	const {app, service} = await openHistory(t);
	const lines = await app.press('j', '=').shows('1 to change');
	assert.match(lines[0]!, /^ Bring back all as change \d+ left it, \d\d:\d\d\?/);
	assert.ok(includes('~ pantry: off → on')(lines), lines.join('\n'));
	await app.press('y').says('Applied the board of ');
	await app.until(async () => (await isOn(service, 'pantry')) === true);
	assert.equal(await isOn(service, 'nightwatch'), true);
	await app.press('u').says('pantry is off again.');
	assert.equal(await isOn(service, 'pantry'), false);
});

test('the board as the last change left it has nothing to bring back, and n changes nothing', async t => {
	const {app, service} = await openHistory(t);
	const lines = await app.press('=').shows('Nothing to change');
	assert.match(lines[0]!, /^ As change \d+ left it/);
	await app.press('escape', 'j', '=').shows('1 to change');
	await app.press('n').shows(' History: ');
	assert.equal(await isOn(service, 'pantry'), false);
});

test('on a list = says where it works, and a read-only run shows the board without a question', async t => {
	const {app} = await openHistory(t);
	await app.press('escape').shows('[3 Installed]');
	await app.press('=').says('= works in a history, which H opens.');
	assert.ok(!says('Bring back')(app.lines()));
});
