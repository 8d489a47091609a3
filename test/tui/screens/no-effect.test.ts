import {isDeepStrictEqual} from 'node:util';
import {assert, test, type TestContext} from '../../helpers/node.ts';
import type {Mishap} from '../../helpers/live-like/mishaps.ts';
import {failedRow} from '../helpers/shown.ts';
import {everShown, includes, installedListCount, openHome, says, storedState, wide} from '../helpers/kit.ts';

/*
A switch that is answered with 2xx by an answer that does not show the record: the list that is read anyway tells.
*/

const on = ' > on   lamps';
const off = ' > off  lamps';

const openBeside = async (t: TestContext, mishap: Mishap) => openHome(t, {mishap, size: wide});

async function changesIn({session}: Awaited<ReturnType<typeof openBeside>>['app']) {
	const {entries} = await session().changes.history.read({});
	return entries.map(({name, field, by, to}) => [name, field, by, to]);
}

test('a switch without effect goes back with a mark, and nobody else is blamed for it', async (t: TestContext) => {
	const {service, app} = await openBeside(t, {kind: 'no effect'});
	await app.press('space').shows(off);
	await app.press('r').shows(failedRow(on), says('lamps: The service accepted the change, but it is still on. Space retries.'));
	assert.deepEqual([storedState(service, 301), installedListCount(service)], [true, 3]);
	assert.ok(!/elsewhere/i.test(everShown(app)));
	assert.deepEqual(app.session().changes.lately.get(), []);
	assert.deepEqual(await changesIn(app), []);
	// There is nothing to undo either.
	await app.press('u').says('Nothing to undo');
	service.goWrong();
	await app.press('space').shows(off);
	await app.press('r').until(() => installedListCount(service) >= 4);
	assert.deepEqual(
		app
			.session()
			.changes.lately.get()
			.map(({by, subject, what}) => [by, subject, what]),
		[['you', 'lamps', 'on → off']],
	);
});

test('a list that comes late does not make the row flap', async (t: TestContext) => {
	const {service, app} = await openBeside(t, {kind: 'late list'});
	await app.press('space').shows(off);
	const from = app.frames().length;
	await app.press('r').until(() => installedListCount(service) === 3);
	await app.shows(off);
	assert.ok(app.frames().slice(from).every(includes(off)));
	assert.ok(!/elsewhere|accepted the change/i.test(everShown(app)));
	await app.until(async () => isDeepStrictEqual(await changesIn(app), [['lamps', 'enabled', 'you', false]]));
	assert.equal(storedState(service, 301), false);
});

test('a switch that only a much later list shows goes back, and then ends right', async (t: TestContext) => {
	const {service, app} = await openBeside(t, {kind: 'late list', lateReads: 2});
	await app.press('space').shows(off);
	await app.press('r').shows(failedRow(on));
	await app.press('r').shows(off, lines => !says('accepted the change')(lines));
	assert.ok(!/elsewhere/i.test(everShown(app)));
	await app.until(async () => isDeepStrictEqual(await changesIn(app), [['lamps', 'enabled', 'you', false]]));
	assert.equal(storedState(service, 301), false);
});

test('of several that are switched at once, those without effect go back, and undo takes back the others', async (t: TestContext) => {
	const {service, app} = await openBeside(t, {kind: 'no effect', when: ({path}) => path.includes('/302/')});
	await app.press('a', 'D').until(() => storedState(service, 301) === false);
	await app.press('r').shows('*  on!  pantry', '*> off  lamps');
	assert.deepEqual(
		app
			.session()
			.changes.lately.get()
			.map(({subject, what}) => [subject, what]),
		[['lamps', 'on → off']],
	);
	service.goWrong();
	await app.press('u').until(() => storedState(service, 301) === true);
	assert.equal(storedState(service, 302), true);
});

test('an edit that a list takes back is told as that, and not as somebody else’s', async (t: TestContext) => {
	const {service, app} = await openHome(t, {mishap: {kind: 'no effect'}, screen: 'agents', size: wide});
	await app.press('c').shows('> Name');
	await app.press('ctrl+u', ...'Hob', 'enter').says('Saved: the agent is called Hob.');
	await app.press('r').says('The service accepted the change, but still shows the former name of Hearth.');
	assert.deepEqual(app.session().changes.lately.get(), []);
	assert.equal((service.agents[0] as {readonly name: string}).name, 'Hearth');
	assert.ok(!/elsewhere/i.test(everShown(app)));
	assert.deepEqual(await changesIn(app), []);
});
